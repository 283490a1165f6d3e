// What the server is told of the person's settings: those that package.json
// declares, and no others. A workspace can write any name into its settings, so
// what it may not decide (trust above all) is never read from there.
import { workspace, type ExtensionContext, type Uri } from 'vscode';
import { Environments } from './environment';

const extensionPrefixes = ['abl.server.', 'abl.trace.']; // the extension's own

export type ServerSettings = Record<string, unknown>;

/** The settings as the server takes them, `abl.a.b` as {a: {b: …}}. */
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

/** What a setting says. What is of another type than the declared one, which VS Code
 * underlines in the settings, says nothing: the server would take no setting at all. */
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
