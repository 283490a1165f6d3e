// The environment of abl.yaml in which tools run: in the status bar, red where it is
// protected. The choice holds for this workspace, over the setting.
import { StatusBarAlignment, ThemeColor, window, type ExtensionContext, type QuickPickItem, type StatusBarItem } from 'vscode';
import type { Front } from './front';
import type { Environment } from './protocol';
import type { Runs } from './run';

const key = 'environment';

export class Environments {
  private readonly item: StatusBarItem = window.createStatusBarItem('abl.environment', StatusBarAlignment.Right, 90);

  constructor(
    private readonly context: ExtensionContext,
    private readonly runs: Runs,
    private readonly front: Front,
    private readonly changed: () => Promise<void>,
  ) {
    this.item.name = 'ABL environment';
    this.item.command = 'abl.selectEnvironment';
    context.subscriptions.push(this.item, front.onDidChange(() => this.refresh()));
  }

  /** What was chosen; undefined: nothing, the setting counts. */
  static chosen(context: ExtensionContext): string | undefined {
    return context.workspaceState.get<string>(key);
  }

  async refresh(): Promise<void> {
    const all = await this.known();
    const current = all.find((environment) => environment.current);
    const chosen = Environments.chosen(this.context);
    if (all.length === 0 && chosen === undefined) {
      this.item.hide();
      return;
    }
    const name = current?.name ?? `no ${chosen ?? 'environment'}`; // another project may not have what was chosen
    this.item.text = `${current?.protected ? '$(shield)' : '$(server-environment)'} ${name}`;
    this.item.tooltip = current?.protected ? `ABL tools run in ${name}, which is protected` : `ABL tools run in ${name}`;
    this.item.accessibilityInformation = { label: this.item.tooltip, role: 'button' };
    this.item.backgroundColor = current?.protected ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.show();
  }

  async select(): Promise<void> {
    const all = await this.known();
    const before = Environments.chosen(this.context);
    if (all.length === 0 && before === undefined) {
      void window.showInformationMessage('No abl.yaml with environments belongs to the file in front.');
      return;
    }
    const items: Choice[] = all.map((environment) => ({ label: environment.name, description: describe(environment), environment }));
    if (before !== undefined) {
      items.push({ label: `Do not insist on ${before}`, description: 'each project runs in its default', environment: undefined });
    }
    const chosen = await window.showQuickPick(items, { title: 'In which environment do tools run?' });
    if (chosen && (!chosen.environment?.protected || (await sure(chosen.label)))) {
      await this.context.workspaceState.update(key, chosen.environment?.name);
      await this.changed();
      await this.refresh();
    }
  }

  private async known(): Promise<Environment[]> {
    const { document } = this.front;
    return document?.uri.scheme === 'file' ? this.runs.known<Environment[]>('abl.environments', { uri: document.uri.toString() }) : [];
  }
}

interface Choice extends QuickPickItem {
  environment: Environment | undefined;
}

function describe(environment: Environment): string {
  return [environment.protected && 'protected', environment.default && 'default', environment.current && 'in use'].filter(Boolean).join(', ');
}

async function sure(name: string): Promise<boolean> {
  const yes = `Use ${name}`;
  const detail = 'It is protected: each run that may change something asks first.';
  return (await window.showWarningMessage(`Run tools in ${name}?`, { modal: true, detail }, yes)) === yes;
}
