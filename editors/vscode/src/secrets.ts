// Secrets that were typed once: kept by VS Code in the system's keychain, for this
// workspace, and given with a run that asks for them.
import { window, type ExtensionContext } from 'vscode';
import { folderOf, folders, nameOf } from './folder';
import { inform } from './notify';
import { linkless } from './plain';
import type { RunArgument } from './protocol';

export class Secrets {
  private asking: Promise<unknown> = Promise.resolve();

  constructor(private readonly context: ExtensionContext) {}

  /** The run with its secrets; undefined where the person does not say one. Runs that
   * need one at the same time ask one after the other: a second box would close the first. */
  give(names: string[], argument: RunArgument): Promise<RunArgument | undefined> {
    const given = this.asking.then(() => this.giveNow(names, argument));
    this.asking = given.catch(() => undefined);
    return given;
  }

  private async giveNow(names: string[], argument: RunArgument): Promise<RunArgument | undefined> {
    const secrets = { ...argument.secrets };
    for (const name of names) {
      const folder = folderOf(argument.uri);
      const value = (await this.context.secrets.get(keyOf(name, folder))) ?? (await this.ask(name, folder, argument.tool));
      if (!value) {
        return undefined;
      }
      secrets[name] = value;
    }
    return { ...argument, secrets, kept: Object.keys(secrets) };
  }

  /** Forgets all that was typed for the folders of this workspace, in whichever window. */
  async forget(): Promise<void> {
    for (const folder of folders()) {
      for (const name of await this.names(folder)) {
        await this.context.secrets.delete(keyOf(name, folder));
      }
      await this.context.secrets.delete(listOf(folder));
    }
    void inform('The secrets that you typed for this workspace are forgotten.');
  }

  private async ask(name: string, folder: string, tool: string): Promise<string | undefined> {
    const named = nameOf(folder);
    const value = await window.showInputBox({
      title: `${tool} needs the secret ${name}`,
      prompt: `It is kept in your system's keychain, for ${named ? `the folder ${linkless(named)}` : 'this workspace'} only.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (value) {
      await this.context.secrets.store(keyOf(name, folder), value);
      await this.context.secrets.store(listOf(folder), JSON.stringify([...new Set([...(await this.names(folder)), name])]));
    }
    return value;
  }

  /** The names of the secrets that were typed for a folder. */
  private async names(folder: string): Promise<string[]> {
    return JSON.parse((await this.context.secrets.get(listOf(folder))) ?? '[]') as string[];
  }
}

/** Two folders of one workspace may mean two things by one name. */
function keyOf(name: string, folder: string): string {
  return `${folder}#${name}`;
}

/** The list stands beside the secrets: other windows, and workspaces with the same folder, have them too. */
function listOf(folder: string): string {
  return `names ${folder}`;
}
