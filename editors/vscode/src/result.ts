// The panels of results. The next run uses the last one that is not pinned. The results before are
// kept, to compare.
import { commands, Uri, workspace, type ExtensionContext, type TextDocumentContentProvider, type ViewColumn } from 'vscode';
import type { ActiveFile } from './activefile';
import { errorText } from './errors';
import { cutDeepParts, documentText, hasLines, isTooDeep } from './exact';
import type { ResultCommand } from './messages';
import { showError } from './notify';
import type { Envelope, RunArgument } from './protocol';
import { ResultPanel, type Shown } from './resultpanel';
import type { Viewer } from './run';
import { versionedName } from './tools';
import { tickStep } from './walkthrough';

export { showCopied } from './resultpanel';

/** The actions of a panel that others implement. */
export type ResultActions = { [A in Exclude<ResultCommand, 'compare'>]: (argument: RunArgument, envelope: Envelope) => unknown } & {
  openResource(argument: RunArgument, uri: string): Promise<unknown>; // of the server that gave a result
};

const scheme = 'abl-result';
const soon = 400; // ms; an answer that is faster opens no panel before it is there
const mostRecent = 20; // results for the form

export class Results implements Viewer, TextDocumentContentProvider {
  private readonly panels: ResultPanel[] = [];
  private current: Shown | undefined;
  private readonly latest = new Map<string, Envelope>(); // by tool
  private readonly compared = new Map<string, Envelope>(); // by the document that shows it
  private readonly running = new Map<string, { cancel: () => void; panel: ResultPanel }>(); // by token
  private count = 0;

  constructor(
    private readonly context: ExtensionContext,
    private readonly actions: () => ResultActions,
    private readonly busy: (column: ViewColumn | undefined) => boolean, // whether a form is active in the column
    private readonly front: ActiveFile,
  ) {
    context.subscriptions.push(
      workspace.registerTextDocumentContentProvider(scheme, this),
      workspace.onDidCloseTextDocument((document) => this.compared.delete(document.uri.toString())),
    );
  }

  /** Shows the result of a run. */
  show(came: Envelope, argument: RunArgument, command: string): void {
    const envelope = limitDepth(came);
    if (command === 'abl.readResource') {
      this.present({ envelope, argument, before: undefined }, { repeatable: false });
      return;
    }
    if (command === 'abl.preview') {
      this.present({ envelope, argument, before: undefined }, { preview: true });
      return;
    }
    this.present({ envelope, argument, before: this.latest.get(key(argument)) });
    if (argument.tool !== undefined) {
      this.latest.delete(key(argument)); // the newest come last
      this.latest.set(key(argument), envelope);
      void tickStep('abl.hasRun');
    }
  }

  /** Shows a past run, and keeps the one before it. */
  showPast(envelope: Envelope, argument: RunArgument, before: Envelope | undefined, repeatable: boolean): void {
    this.present({ envelope: limitDepth(envelope), argument, before: before && limitDepth(before) }, { repeatable });
  }

  /** Shows that a run goes on: at once instead of an older result, and in a new panel if it takes longer. */
  began(tool: string, token: string, cancel: () => void): void {
    const panel = this.freePanel();
    this.running.set(token, { cancel, panel });
    const since = Date.now();
    if (panel.isOpen) {
      panel.began(tool, token, since);
    }
    setTimeout(() => {
      if (this.running.has(token) && !panel.isBehindForm) {
        panel.open(panel.isOpen && panel.shown ? panel.shown.envelope.tool : tool);
        if (!panel.showsRunning(token)) { // it may only show output
          panel.began(tool, token, since);
        }
      }
    }, soon);
  }

  /** Shows what a run does now, such as the start of a server. */
  progress(token: string, message: string): void {
    this.running.get(token)?.panel.progress(token, message);
  }

  output(tool: string, token: string, chunk: string): void {
    const panel = this.running.get(token)?.panel ?? this.panels.find((one) => one.follows(token)) ?? this.freePanel();
    panel.output(tool, token, chunk);
  }

  /** Marks a run as ended; if it was stopped, no result follows. */
  ended(token: string, stopped: boolean): void {
    this.running.delete(token);
    this.panels.find((one) => one.follows(token))?.ended(token, stopped);
  }

  /** The result of this session's last run. */
  get last(): Envelope | undefined {
    return this.current?.envelope;
  }

  /** The last results of this session, one for each tool, the newest first. */
  get recent(): Envelope[] {
    return [...this.latest.values()].reverse().filter(({ ok }) => ok).slice(0, mostRecent);
  }

  /** Returns a value as a document for the comparison. */
  provideTextDocumentContent(uri: Uri): string {
    return documentText(outcome(this.compared.get(uri.toString())));
  }

  /** Does what a button of a panel says. */
  async act(command: ResultCommand, shown = this.current): Promise<void> {
    if (shown === undefined) {
      return;
    }
    const { argument, envelope, before } = shown;
    try {
      if (command === 'compare') {
        await this.compare({ when: 'the run before', envelope: before }, { when: 'this run', envelope }, argument.tool);
      } else {
        await this.actions()[command](argument, envelope);
      }
    } catch (error) {
      void showError(`${argument.tool ?? 'ABL'}: ${errorText(error)}`);
    }
  }

  /** Shows the difference between two results. */
  compare(one: Compared, other: Compared, tool: string): Thenable<unknown> {
    const documents = [one, other].map(({ when, envelope }) => {
      const uri = Uri.from({ scheme, path: `/${tool}.${hasLines(outcome(envelope)) ? 'txt' : 'json'}`, query: `${when} ${++this.count}` });
      if (envelope) {
        this.compared.set(uri.toString(), envelope);
      }
      return uri;
    });
    const [a, b] = [one.when + environmentSuffix(one.envelope, other.envelope), other.when + environmentSuffix(other.envelope, one.envelope)];
    return commands.executeCommand('vscode.diff', ...documents, `${tool}: ${a} ↔ ${b}`);
  }

  private present(shown: Shown, { preview = false, repeatable = true } = {}): void {
    this.current = shown;
    this.freePanel().present(shown, preview, repeatable && shown.argument.tool !== undefined);
  }

  /** Returns the panel for the next result: the last one that is not pinned, open or not. */
  private freePanel(): ResultPanel {
    const free = this.panels.filter(({ pinned }) => !pinned);
    return free.find(({ isOpen }) => isOpen) ?? free[0] ?? this.addPanel();
  }

  private addPanel(): ResultPanel {
    const panel = new ResultPanel({
      context: this.context,
      front: this.front,
      isBusy: this.busy,
      act: (command, shown) => this.act(command, shown),
      cancel: (token) => this.running.get(token)?.cancel(),
      openResource: async (uri, { argument }) => void (await this.actions().openResource(argument, uri)),
    });
    this.panels.unshift(panel);
    return panel;
  }
}

/** A side of a comparison. */
export interface Compared {
  when: string;
  envelope: Envelope | undefined;
}

/** Returns the environment of a run for the title, if the other run had another one. */
function environmentSuffix(run: Envelope | undefined, other: Envelope | undefined): string {
  const [here, there] = [run?.environment ?? '', other?.environment ?? ''];
  return here === there ? '' : ` in ${here || 'no environment'}`;
}

/** Returns the outcome of a run: a value, or why there is none. */
function outcome(envelope: Envelope | undefined): unknown {
  return envelope?.ok ? envelope.value : (envelope?.error ?? null);
}

/** Returns a result that VS Code can send to the page. */
function limitDepth(envelope: Envelope): Envelope {
  const warning = 'It is nested too deeply to be shown whole: … stands for the rest.';
  return isTooDeep(envelope) ? { ...cutDeepParts(envelope), warnings: [...(envelope.warnings ?? []), warning] } : envelope;
}

function key(argument: RunArgument): string {
  return `${argument.uri}#${versionedName(argument)}`;
}
