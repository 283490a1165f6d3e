// The panel of results. There is one, which the next run reuses. It keeps the result before,
// to compare.
import { commands, Uri, window, workspace, type ExtensionContext, type TextDocumentContentProvider, type ViewColumn, type WebviewPanel } from 'vscode';
import type { ActiveFile } from './activefile';
import { errorText } from './errors';
import { cutDeepParts, documentText, hasLines, isTooDeep } from './exact';
import type { ResultAction, ResultContent } from './messages';
import { showError } from './notify';
import { newPanel } from './panel';
import type { Envelope, RunArgument } from './protocol';
import type { Viewer } from './run';
import { withoutIcons } from './sanitize';
import { versionedName } from './tools';
import { tickStep } from './walkthrough';

/** The actions of the panel that others implement. */
export type ResultActions = { [A in Exclude<ResultAction, 'ready' | 'compare'>]: (argument: RunArgument, envelope: Envelope) => unknown };

interface Shown {
  envelope: Envelope;
  argument: RunArgument;
  before: Envelope | undefined;
}

const scheme = 'abl-result';

export class Results implements Viewer, TextDocumentContentProvider {
  private panel: WebviewPanel | undefined;
  private ready = false;
  private shown: Shown | undefined;
  private content: ResultContent[] = []; // what was sent to the page and is shown
  private readonly latest = new Map<string, Envelope>(); // by tool
  private readonly compared = new Map<string, Envelope>(); // by the document that shows it
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
    if (command === 'abl.preview') {
      this.present({ envelope, argument, before: undefined }, { preview: true });
      return;
    }
    this.present({ envelope, argument, before: this.latest.get(key(argument)) });
    if (argument.tool !== undefined) {
      this.latest.set(key(argument), envelope);
      void tickStep('abl.hasRun');
    }
  }

  /** Shows a past run, and keeps the one before it. */
  showPast(envelope: Envelope, argument: RunArgument, before: Envelope | undefined, repeatable: boolean): void {
    this.present({ envelope: limitDepth(envelope), argument, before: before && limitDepth(before) }, { repeatable });
  }

  output(tool: string, token: string, chunk: string): void {
    if (!this.content.some((told) => told.type === 'output' && told.token === token)) {
      const above = this.content.find((told) => told.type === 'show');
      this.open(above ? above.envelope.tool : tool); // a result keeps its title
    }
    this.send({ type: 'output', tool, token, chunk });
  }

  /** Marks a run as ended; if it was stopped, no result follows. */
  ended(token: string, stopped: boolean): void {
    if (this.content.some((told) => told.type === 'output' && told.token === token)) {
      this.send({ type: 'ended', token, stopped });
    }
  }

  /** The result of this session's last run. */
  get last(): Envelope | undefined {
    return this.shown?.envelope;
  }

  /** Returns a value as a document for the comparison. */
  provideTextDocumentContent(uri: Uri): string {
    return documentText(outcome(this.compared.get(uri.toString())));
  }

  private present(shown: Shown, { preview = false, repeatable = true } = {}): void {
    const { envelope, argument, before } = shown;
    this.shown = shown;
    this.front.notifyChange();
    this.open(envelope.tool);
    this.content = this.runningOutput(); // the page keeps it
    this.send({ type: 'show', envelope, preview, comparable: before !== undefined, rerunnable: repeatable && argument.tool !== undefined });
  }

  /** Returns the output of runs that have not ended. */
  private runningOutput(): ResultContent[] {
    const over = new Set(this.content.map((told) => (told.type === 'ended' ? told.token : '')));
    return this.content.filter((told) => told.type === 'output' && !over.has(told.token));
  }

  private open(tool: string): void {
    if (this.panel) {
      this.panel.title = `Result: ${tool}`;
      if (this.busy(this.panel.viewColumn)) {
        void window.setStatusBarMessage(`$(info) The result of ${withoutIcons(tool)} is behind the form`, 6000);
      } else {
        this.panel.reveal(undefined, true);
      }
      return;
    }
    this.panel = newPanel(this.context, 'result', `Result: ${tool}`, true);
    this.front.followPanel(this.panel, () => this.shown?.argument.uri);
    this.panel.webview.onDidReceiveMessage((action: ResultAction) => this.act(action));
    this.panel.onDidDispose(() => {
      this.panel = undefined;
      this.ready = false;
      this.content = this.runningOutput(); // the next chunk of a run opens the panel again
    });
  }

  private send(content: ResultContent): void {
    this.content.push(content);
    if (this.ready) {
      void this.panel?.webview.postMessage(content);
    }
  }

  private async act(action: ResultAction): Promise<void> {
    if (action === 'ready') { // sent again if VS Code has reloaded the page in another window
      this.ready = true;
      this.content.forEach((content) => void this.panel?.webview.postMessage(content));
      return;
    }
    if (this.shown === undefined) {
      return;
    }
    const { argument, envelope } = this.shown;
    try {
      await (action === 'compare' ? this.compare(this.shown) : this.actions()[action](argument, envelope));
    } catch (error) {
      void showError(`${argument.tool ?? 'ABL'}: ${errorText(error)}`);
    }
  }

  private compare({ argument, envelope, before }: Shown): Thenable<unknown> {
    const at = (when: string, of: Envelope | undefined) => {
      const uri = Uri.from({ scheme, path: `/${argument.tool}.${hasLines(outcome(of)) ? 'txt' : 'json'}`, query: `${when} ${++this.count}` });
      if (of) {
        this.compared.set(uri.toString(), of);
      }
      return uri;
    };
    return commands.executeCommand('vscode.diff', at('before', before), at('this', envelope), `${argument.tool}: the run before${environmentSuffix(before, envelope)} ↔ this run${environmentSuffix(envelope, before)}`);
  }
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

/** Says that something was copied, so that the person can paste it. */
export function showCopied(what: string): void {
  void window.setStatusBarMessage(`$(clippy) Copied ${what}`, 6000);
}
