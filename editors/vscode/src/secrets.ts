// Secrets that were typed once: kept by VS Code in the system's keychain, for this
// workspace, and given with a run that asks for them.
import { window, type ExtensionContext } from 'vscode';
import { folderOf, nameOf } from './folder';
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
      const key = keyOf(name, argument);
      const value = (await this.context.secrets.get(key)) ?? (await this.ask(name, key, argument));
      if (!value) {
        return undefined;
      }
      secrets[name] = value;
    }
    return { ...argument, secrets, kept: Object.keys(secrets) };
  }

  /** Forgets all that was typed for this workspace. */
  async forget(): Promise<void> {
    for (const key of this.keys()) {
      await this.context.secrets.delete(key);
    }
    await this.context.workspaceState.update('secrets', []);
    void window.showInformationMessage('The secrets that you typed for this workspace are forgotten.');
  }

  private async ask(name: string, key: string, { tool, uri }: RunArgument): Promise<string | undefined> {
    const folder = nameOf(folderOf(uri));
    const value = await window.showInputBox({
      title: `${tool} needs the secret ${name}`,
      prompt: `It is kept in your system's keychain, for ${folder ? `the folder ${folder}` : 'this workspace'} only.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (value) {
      await this.context.secrets.store(key, value);
      await this.context.workspaceState.update('secrets', [...new Set([...this.keys(), key])]);
    }
    return value;
  }

  /** Where the secrets are that were typed for this workspace. */
  private keys(): string[] {
    return this.context.workspaceState.get<string[]>('secrets', []);
  }
}

/** Two folders of one workspace may mean two things by one name. */
function keyOf(name: string, argument: RunArgument): string {
  return `${folderOf(argument.uri)}#${name}`;
}
