// The environment of abl.yaml in which tools run: in the status bar, red where it is
// protected. The choice holds for the folder of the file in front, or for the project of
// one that lies in none, over the setting.
import { EventEmitter, StatusBarAlignment, ThemeColor, Uri, window, workspace, type ExtensionContext, type QuickPickItem, type StatusBarItem } from 'vscode';
import { FileChangeType, type Middleware } from 'vscode-languageclient/node';
import { folderNameOf, nameOf, ownerOf } from './folder';
import type { Front } from './front';
import { offerProject } from './newfile';
import { ask } from './notify';
import { iconless } from './plain';
import type { Environment, RunArgument } from './protocol';
import type { Runs } from './run';
import { setting } from './settings';
import type { Where } from './views';

const pause = 100; // ms in which several changes are one

export class Environments {
  private soon: NodeJS.Timeout | undefined;
  private asked = 0; // how often
  private readonly chose = new EventEmitter<void>();
  private readonly shown = new EventEmitter<void>();
  private readonly item: StatusBarItem = window.createStatusBarItem('abl.environment', StatusBarAlignment.Right, 90);

  constructor(
    private readonly context: ExtensionContext,
    private readonly runs: Runs,
    private readonly front: Front,
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
      workspace.onDidChangeWorkspaceFolders(() => this.told()),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('abl.environment')) {
          void this.told();
        }
      }),
    );
  }

  /** Tells when tools run in another environment. */
  get onDidChange() {
    return this.chose.event;
  }

  /** Tells when it may be another one, or one that is protected now. */
  get onDidShow() {
    return this.shown.event;
  }

  /** The environment of a folder's tools, '' where the project says it. */
  static of(context: ExtensionContext, folder: string): string {
    return chosen(context, folder) ?? setting(context, 'abl.environment', Uri.parse(folder));
  }

  /** For which folders and projects a person has chosen one. */
  static owners(context: ExtensionContext): string[] {
    return context.workspaceState.keys().filter((one) => one.startsWith(key(''))).map((one) => one.slice(key('').length));
  }

  /** Where a call runs. */
  async where({ uri, environment }: RunArgument): Promise<Where> {
    const all = await this.runs.known<Environment[]>('abl.environments', { uri });
    const found = all.find(({ name, current }) => (environment ? name === environment : current));
    const wanted = environment || Environments.of(this.context, await ownerOf(uri));
    const folder = folderNameOf(uri);
    const parts = [...(all.length > 0 || wanted ? [`Environment: ${inWords(found, wanted)}`] : []), ...(folder ? [`Folder: ${folder}`] : [])];
    return { words: parts.join(' · '), protected: found?.protected ?? false };
  }

  /** Shows what a changed abl.yaml says, once the server has been told of the change. */
  following() {
    const after = async <E>(event: E, next: (event: E) => Promise<void>, changes: boolean) => {
      await next(event);
      if (changes) {
        clearTimeout(this.soon);
        this.soon = setTimeout(() => void this.refresh(), pause);
      }
    };
    return {
      didChange: (event, next) => after(event, next, isProject(event.document.uri.path)),
      workspace: {
        // Of a folder that is gone, nobody tells what was in it.
        didChangeWatchedFile: (event, next) => after(event, next, isProject(event.uri) || event.type === FileChangeType.Deleted),
      },
    } satisfies Middleware;
  }

  async refresh(): Promise<void> {
    const mine = ++this.asked;
    const { file } = this;
    const owner = file && (await ownerOf(file));
    const all = file ? await this.runs.known<Environment[]>('abl.environments', { uri: file }) : [];
    if (mine !== this.asked) {
      return; // another one asked later, maybe of another file, and shows what it gets
    }
    this.shown.fire();
    const current = all.find((environment) => environment.current);
    const insisted = owner ? Environments.of(this.context, owner) : '';
    if (owner === undefined || (all.length === 0 && insisted === '')) {
      this.item.hide();
      return;
    }
    this.item.text = `${current?.protected ? '$(shield)' : '$(server-environment)'} ${iconless(nameIn(current, insisted))}`;
    const folder = nameOf(owner);
    this.item.tooltip = `ABL tools${folder && ` of ${folder}`} run in ${inWords(current, insisted)}`;
    this.item.accessibilityInformation = { label: this.item.tooltip, role: 'button' };
    this.item.backgroundColor = current?.protected ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.show();
  }

  async select(): Promise<void> {
    const { file } = this; // another one may be in front after the question
    const owner = file && (await ownerOf(file));
    const all = file ? await this.runs.ask<Environment[]>('abl.environments', { uri: file }) : [];
    const before = owner && chosen(this.context, owner);
    if (owner === undefined || (all.length === 0 && before === undefined)) {
      await offerProject(this.front.uri);
      return;
    }
    const items: Choice[] = all.map((environment) => ({ label: iconless(environment.name), description: describe(environment), environment }));
    if (before !== undefined) {
      items.push({ label: `Do not insist on ${iconless(before)}`, description: 'each project runs in its default', environment: undefined });
    }
    const title = `In which environment do ${nameOf(owner) ? `the tools of ${nameOf(owner)}` : 'tools'} run?`;
    const answer = await window.showQuickPick(items, { title });
    if (answer && (!answer.environment?.protected || (await sure(answer.environment.name)))) {
      await this.context.workspaceState.update(key(owner), answer.environment?.name);
      await this.told();
    }
  }

  private async told(): Promise<void> {
    await this.tell();
    this.chose.fire();
    await this.refresh();
  }

  /** The file in front; what is not saved yet is of no project. */
  private get file(): string | undefined {
    const { uri } = this.front;
    return uri?.scheme === 'file' ? uri.toString() : undefined;
  }
}

function isProject(path: string): boolean {
  return path.endsWith('/abl.yaml');
}

/** A project may not have what was chosen, or what the setting names. */
function nameIn(found: Environment | undefined, wanted: string | undefined): string {
  return found?.name ?? `no ${wanted || 'environment'}`;
}

function inWords(found: Environment | undefined, wanted: string | undefined): string {
  return `${nameIn(found, wanted)}${found?.protected ? ', which is protected' : ''}`;
}

/** What a person has chosen for a folder; undefined: nothing, the setting counts. */
function chosen(context: ExtensionContext, folder: string): string | undefined {
  return context.workspaceState.get<string>(key(folder));
}

function key(folder: string): string {
  return `environment ${folder}`;
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
  return (await ask(`Run tools in ${name}?`, detail, yes)) === yes;
}
