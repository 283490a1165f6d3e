// Secrets that were typed once. VS Code stores them in the system's keychain, for the folder
// or the project for which they were typed; a run that needs them gets them.
import { Uri, window, type CancellationToken, type ExtensionContext } from 'vscode';
import { folderName, folders, ownerOf } from './folder';
import type { RunArgument } from './protocol';
import { withoutLinks } from './sanitize';

export class SecretStore {
  private asking: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: ExtensionContext) {}

  /** Returns the run with its secrets; undefined if the person does not give one. Runs that need
   * one at the same time ask one after the other, because a second box would close the first. */
  provide(names: string[], argument: RunArgument, tool: string, token?: CancellationToken): Promise<RunArgument | undefined> {
    const given = this.asking.then(() => this.fill(names, argument, (name, owner) => this.ask(name, owner, tool, token)));
    this.asking = given.catch(() => undefined);
    return given;
  }

  /** Returns the run with its secrets, if all of them were typed before; else undefined. */
  withStored(names: string[], argument: RunArgument): Promise<RunArgument | undefined> {
    return this.fill(names, argument, () => undefined);
  }

  private async fill(names: string[], argument: RunArgument, ask: (name: string, owner: string) => Promise<string | undefined> | undefined): Promise<RunArgument | undefined> {
    const secrets = { ...argument.secrets };
    const owner = await ownerOf(argument.uri);
    for (const name of names) {
      const value = (await this.context.secrets.get(keyOf(name, owner))) ?? (await ask(name, owner));
      if (!value) {
        return undefined;
      }
      secrets[name] = value;
    }
    return { ...argument, secrets, kept: Object.keys(secrets) };
  }

  /** Forgets the secrets of a call, unless they were typed again meanwhile. Returns the call without them and without
   * its confirmation, because the next call sends something else. */
  async forgetSecretsOf({ secrets, kept: _, confirm: __, ...argument }: RunArgument): Promise<RunArgument> {
    const owner = await ownerOf(argument.uri);
    for (const [name, value] of Object.entries(secrets ?? {})) {
      if ((await this.context.secrets.get(keyOf(name, owner))) === value) {
        await this.context.secrets.delete(keyOf(name, owner));
      }
    }
    return argument;
  }

  /** Forgets everything that was typed for the folders of this workspace, in any window, and for files outside of all folders. */
  async forgetAll(): Promise<void> {
    for (const owner of [...folders(), ...(await this.list(outsideOwnersKey))]) {
      for (const name of await this.list(listOf(owner))) {
        await this.context.secrets.delete(keyOf(name, owner));
      }
      await this.context.secrets.delete(listOf(owner));
    }
    await this.context.secrets.delete(outsideOwnersKey);
  }

  private async ask(name: string, owner: string, tool: string, token?: CancellationToken): Promise<string | undefined> {
    const value = await window.showInputBox({
      title: `${tool} needs the secret ${name}`,
      prompt: `It is kept in your system's keychain, for ${whom(owner)} only.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (typed) => (typed.trimStart().startsWith('-----BEGIN') ? severalLines : undefined),
    }, token);
    if (value) {
      await this.context.secrets.store(keyOf(name, owner), value);
      await this.add(listOf(owner), name);
      if (!folders().includes(owner)) {
        await this.add(outsideOwnersKey, owner);
      }
    }
    return value;
  }

  /** The lists are stored with the secrets, so that other windows, and workspaces with the same folder, have them too. */
  private async list(key: string): Promise<string[]> {
    return JSON.parse((await this.context.secrets.get(key)) ?? '[]') as string[];
  }

  private async add(key: string, one: string): Promise<void> {
    await this.context.secrets.store(key, JSON.stringify([...new Set([...(await this.list(key)), one])]));
  }
}

const severalLines = 'A key of several lines loses them in this box. Put it into .env, between double quotes.';

const outsideOwnersKey = 'owners elsewhere'; // the list of projects outside of all folders

function whom(owner: string): string {
  if (!folders().includes(owner)) {
    return `the project in ${withoutLinks(Uri.parse(owner).fsPath)}`;
  }
  const named = folderName(owner);
  return named ? `the folder ${withoutLinks(named)}` : 'this workspace';
}

/** Returns the key of a secret. Two folders of one workspace may use one name for two secrets. */
function keyOf(name: string, owner: string): string {
  return `${owner}#${name}`;
}

/** Returns the key of the list of secret names that were typed for a folder or a project. */
function listOf(owner: string): string {
  return `names ${owner}`;
}
