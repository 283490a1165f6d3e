// The environment of abl.yaml in which tools run, in the status bar, red if it is protected.
// The choice applies to the folder of the active file, or to the project of a file outside of
// all folders. It overrides the setting.
import { EventEmitter, StatusBarAlignment, ThemeColor, Uri, window, workspace, type ExtensionContext, type QuickPickItem, type StatusBarItem } from 'vscode';
import { FileChangeType, type Middleware } from 'vscode-languageclient/node';
import type { ActiveFile } from './activefile';
import { folderName, folderNameOfFile, ownerOf } from './folder';
import type { RunLocation } from './messages';
import { offerProject } from './newfile';
import { ask } from './notify';
import type { Environment, RunArgument } from './protocol';
import type { Runs } from './run';
import { withoutIcons } from './sanitize';
import { setting } from './settings';

const pause = 100; // ms within which several changes count as one

export class Environments {
  private soon: NodeJS.Timeout | undefined;
  private asked = 0; // number of requests
  private readonly chose = new EventEmitter<void>();
  private readonly shown = new EventEmitter<void>();
  private readonly item: StatusBarItem = window.createStatusBarItem('abl.environment', StatusBarAlignment.Right, 90);

  constructor(
    private readonly context: ExtensionContext,
    private readonly runs: Runs,
    private readonly front: ActiveFile,
    private readonly tell: () => Promise<void>,
  ) {
    this.item.name = 'ABL environment';
    this.item.command = 'abl.selectEnvironment';
    context.subscriptions.push(
      this.chose,
      this.shown,
      this.item,
      { dispose: () => clearTimeout(this.soon) },
      front.onDidChange(() => this.refresh()),
      workspace.onDidChangeWorkspaceFolders(() => this.announce()),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('abl.environment')) {
          void this.announce();
        }
      }),
    );
  }

  /** Fires when tools run in another environment. */
  get onDidChange() {
    return this.chose.event;
  }

  /** Fires when the environment, or whether it is protected, may have changed. */
  get onDidShow() {
    return this.shown.event;
  }

  /** Returns the environment of a folder's tools, '' if the project decides. */
  static of(context: ExtensionContext, folder: string): string {
    return chosenFor(context, folder) ?? setting(context, 'abl.environment', Uri.parse(folder));
  }

  /** Returns the folders and projects for which a person has chosen an environment. */
  static owners(context: ExtensionContext): string[] {
    return context.workspaceState.keys().filter((one) => one.startsWith(choiceKey(''))).map((one) => one.slice(choiceKey('').length));
  }

  /** Returns the environment and the folder in which a call runs. */
  async locationOf({ uri, environment }: RunArgument): Promise<RunLocation> {
    const all = await this.runs.askForList<Environment[]>('abl.environments', { uri });
    const found = all.find(({ name, current }) => (environment ? name === environment : current));
    const wanted = environment || Environments.of(this.context, await ownerOf(uri));
    const folder = folderNameOfFile(uri);
    const parts = [...(all.length > 0 || wanted ? [`Environment: ${describeEnvironment(found, wanted)}`] : []), ...(folder ? [`Folder: ${folder}`] : [])];
    return { words: parts.join(' · '), protected: found?.protected ?? false };
  }

  /** Shows the environment again after abl.yaml has changed and the server knows the change. */
  middleware() {
    const after = async <E>(event: E, next: (event: E) => Promise<void>, changes: boolean) => {
      await next(event);
      if (changes) {
        clearTimeout(this.soon);
        this.soon = setTimeout(() => void this.refresh(), pause);
      }
    };
    return {
      didChange: (event, next) => after(event, next, isProjectFile(event.document.uri.path)),
      workspace: {
        // VS Code does not tell which files a deleted folder had.
        didChangeWatchedFile: (event, next) => after(event, next, isProjectFile(event.uri) || event.type === FileChangeType.Deleted),
      },
    } satisfies Middleware;
  }

  async refresh(): Promise<void> {
    const mine = ++this.asked;
    const { file } = this;
    const owner = file && (await ownerOf(file));
    const all = file ? await this.runs.askForList<Environment[]>('abl.environments', { uri: file }) : [];
    if (mine !== this.asked) {
      return; // a later request, maybe for another file, shows its own answer
    }
    this.shown.fire();
    const current = all.find((environment) => environment.current);
    const insisted = owner ? Environments.of(this.context, owner) : '';
    if (owner === undefined || (all.length === 0 && insisted === '')) {
      this.item.hide();
      return;
    }
    this.item.text = `${current?.protected ? '$(shield)' : '$(server-environment)'} ${withoutIcons(environmentName(current, insisted))}`;
    const folder = folderName(owner);
    this.item.tooltip = `ABL tools${folder && ` of ${folder}`} run in ${describeEnvironment(current, insisted)}`;
    this.item.accessibilityInformation = { label: this.item.tooltip, role: 'button' };
    this.item.backgroundColor = current?.protected ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.show();
  }

  async select(): Promise<void> {
    const { file } = this; // another file may be active after the question
    const owner = file && (await ownerOf(file));
    const all = file ? await this.runs.ask<Environment[]>('abl.environments', { uri: file }) : [];
    const before = owner && chosenFor(this.context, owner);
    if (owner === undefined || (all.length === 0 && before === undefined)) {
      await offerProject(this.front.uri);
      return;
    }
    const items: Choice[] = all.map((environment) => ({ label: withoutIcons(environment.name), description: describeChoice(environment), environment }));
    if (before !== undefined) {
      items.push({ label: `Do not insist on ${withoutIcons(before)}`, description: 'each project runs in its default', environment: undefined });
    }
    const title = `In which environment do ${folderName(owner) ? `the tools of ${folderName(owner)}` : 'tools'} run?`;
    const answer = await window.showQuickPick(items, { title });
    if (answer && (!answer.environment?.protected || (await confirmProtected(answer.environment.name)))) {
      await this.context.workspaceState.update(choiceKey(owner), answer.environment?.name);
      await this.announce();
    }
  }

  private async announce(): Promise<void> {
    await this.tell();
    this.chose.fire();
    await this.refresh();
  }

  /** The active file; an unsaved document belongs to no project. */
  private get file(): string | undefined {
    const { uri } = this.front;
    return uri?.scheme === 'file' ? uri.toString() : undefined;
  }
}

function isProjectFile(path: string): boolean {
  return path.endsWith('/abl.yaml');
}

/** Returns the name of the environment. A project may lack the chosen one, or the one in the setting. */
function environmentName(found: Environment | undefined, wanted: string | undefined): string {
  return found?.name ?? `no ${wanted || 'environment'}`;
}

function describeEnvironment(found: Environment | undefined, wanted: string | undefined): string {
  return `${environmentName(found, wanted)}${found?.protected ? ', which is protected' : ''}`;
}

/** Returns what a person has chosen for a folder; undefined: nothing, so the setting counts. */
function chosenFor(context: ExtensionContext, folder: string): string | undefined {
  return context.workspaceState.get<string>(choiceKey(folder));
}

function choiceKey(folder: string): string {
  return `environment ${folder}`;
}

interface Choice extends QuickPickItem {
  environment: Environment | undefined;
}

function describeChoice(environment: Environment): string {
  return [environment.protected && 'protected', environment.default && 'default', environment.current && 'in use'].filter(Boolean).join(', ');
}

async function confirmProtected(name: string): Promise<boolean> {
  const yes = `Use ${name}`;
  const detail = 'It is protected: each run that may change something asks first.';
  return (await ask(`Run tools in ${name}?`, detail, yes)) === yes;
}
