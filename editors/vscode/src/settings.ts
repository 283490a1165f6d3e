// The person's settings for the server: only those that package.json declares. A workspace can
// write any name into its settings, so what it must not decide (above all trust) is never read
// from there.
import { workspace, type ExtensionContext, type Uri } from 'vscode';
import { Environments } from './environment';

const extensionPrefixes = ['abl.server.', 'abl.trace.']; // settings that the server does not get

export type ServerSettings = Record<string, unknown>;

/** Returns the settings in the server's form: `abl.a.b` becomes {a: {b: …}}. */
export function serverSettings(context: ExtensionContext): ServerSettings {
  const settings: ServerSettings = { trusted: workspace.isTrusted };
  for (const name of Object.keys(declaredSettings(context))) {
    if (!extensionPrefixes.some((prefix) => name.startsWith(prefix))) {
      setNested(settings, name.split('.').slice(1), setting(context, name));
    }
  }
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  const owners = [...folders, ...Environments.owners(context)];
  return { ...settings, environments: Object.fromEntries(owners.map((owner) => [owner, Environments.of(context, owner)])) };
}

/** Returns a setting. A value of a wrong type, which VS Code underlines in the settings, is replaced
 * by the default, because the server would reject all settings. */
export function setting<T>(context: ExtensionContext, name: string, of?: Uri): T {
  const { type, default: usual } = declaredSettings(context)[name] ?? {};
  const value = workspace.getConfiguration(undefined, of).get(name);
  return (hasType(value, type) ? value : usual) as T;
}

function hasType(value: unknown, type: string | undefined): boolean {
  return type === 'array' ? Array.isArray(value) && value.every((one) => typeof one === 'string') : typeof value === type;
}

function declaredSettings({ extension }: ExtensionContext): { [name: string]: { type: string; default: unknown } } {
  return extension.packageJSON.contributes.configuration.properties;
}

function setNested(into: ServerSettings, keys: string[], value: unknown): void {
  const [key, ...rest] = keys;
  if (key === undefined) {
    return;
  }
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const below = (into[key] ??= {}) as ServerSettings;
  setNested(below, rest, value);
}
