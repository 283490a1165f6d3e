// Secrets that were typed once: kept by VS Code in the system's keychain, for this
// workspace, and given with a run that asks for them.
import { window, workspace, type ExtensionContext } from 'vscode';
import type { RunArgument } from './protocol';

export class Secrets {
  constructor(private readonly context: ExtensionContext) {}

  /** The run with its secrets; undefined where the person does not say one. */
  async give(names: string[], argument: RunArgument): Promise<RunArgument | undefined> {
    const secrets = { ...argument.secrets };
    for (const name of names) {
      const value = (await this.kept(name)) ?? (await this.ask(name, argument.tool));
      if (!value) {
        return undefined;
      }
      secrets[name] = value;
    }
    return { ...argument, secrets, kept: Object.keys(secrets) };
  }

  /** Forgets all that was typed for this workspace. */
  async forget(): Promise<void> {
    for (const name of this.names()) {
      await this.context.secrets.delete(this.key(name));
    }
    await this.context.workspaceState.update('secrets', []);
    void window.showInformationMessage('The secrets that you typed for this workspace are forgotten.');
  }

  private kept(name: string): Thenable<string | undefined> {
    return this.context.secrets.get(this.key(name));
  }

  private async ask(name: string, tool: string): Promise<string | undefined> {
    const value = await window.showInputBox({
      title: `${tool} needs the secret ${name}`,
      prompt: "It is kept in your system's keychain, for this workspace only.",
      password: true,
      ignoreFocusOut: true,
    });
    if (value) {
      await this.context.secrets.store(this.key(name), value);
      await this.context.workspaceState.update('secrets', [...new Set([...this.names(), name])]);
    }
    return value;
  }

  private names(): string[] {
    return this.context.workspaceState.get<string[]>('secrets', []);
  }

  private key(name: string): string {
    return `${workspace.workspaceFolders?.[0]?.uri.toString() ?? ''}#${name}`;
  }
}
