// The panel of results: one, which the next run takes over. It keeps the result
// before, to compare.
import { commands, Uri, window, workspace, type ExtensionContext, type TextDocumentContentProvider, type ViewColumn, type WebviewPanel } from 'vscode';
import { asDocument, cut, hasLines, isDeep } from './exact';
import type { Front } from './front';
import { complain } from './notify';
import { newPanel } from './page';
import { iconless } from './plain';
import type { Envelope, RunArgument } from './protocol';
import type { Viewer } from './run';
import { tick } from './steps';
import { told } from './told';
import { joined } from './tools';
import type { ResultAction, ResultContent } from './views';

/** What the panel has others do. */
export type ResultDoer = { [A in Exclude<ResultAction, 'ready' | 'compare'>]: (argument: RunArgument, envelope: Envelope) => unknown };

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
  private content: ResultContent[] = []; // what the page was told of what it shows
  private readonly latest = new Map<string, Envelope>(); // by tool
  private readonly compared = new Map<string, Envelope>(); // by the document that shows it
  private count = 0;

  constructor(
    private readonly context: ExtensionContext,
    private readonly doer: () => ResultDoer,
    private readonly busy: (column: ViewColumn | undefined) => boolean, // with a form
    private readonly front: Front,
  ) {
    context.subscriptions.push(
      workspace.registerTextDocumentContentProvider(scheme, this),
      workspace.onDidCloseTextDocument((document) => this.compared.delete(document.uri.toString())),
    );
  }

  /** Shows what came of a run. */
  show(came: Envelope, argument: RunArgument, command: string): void {
    const envelope = sendable(came);
    if (command === 'abl.preview') {
      this.present({ envelope, argument, before: undefined }, { preview: true });
      return;
    }
    this.present({ envelope, argument, before: this.latest.get(key(argument)) });
    if (argument.tool !== undefined) {
      this.latest.set(key(argument), envelope);
      void tick('abl.hasRun');
    }
  }

  /** Shows a run of the past, and keeps the one before it. */
  showPast(envelope: Envelope, argument: RunArgument, before: Envelope | undefined, repeatable: boolean): void {
    this.present({ envelope: sendable(envelope), argument, before: before && sendable(before) }, { repeatable });
  }

  output(tool: string, token: string, chunk: string): void {
    if (!this.content.some((told) => told.type === 'output' && told.token === token)) {
      const above = this.content.find((told) => told.type === 'show');
      this.open(above ? above.envelope.tool : tool); // a result stays
    }
    this.tell({ type: 'output', tool, token, chunk });
  }

  /** A run is over; where it was stopped, no result follows. */
  ended(token: string, stopped: boolean): void {
    if (this.content.some((told) => told.type === 'output' && told.token === token)) {
      this.tell({ type: 'ended', token, stopped });
    }
  }

  /** The result of this session's last run. */
  get last(): Envelope | undefined {
    return this.shown?.envelope;
  }

  /** A value as a document, for the comparison. */
  provideTextDocumentContent(uri: Uri): string {
    return asDocument(outcome(this.compared.get(uri.toString())));
  }

  private present(shown: Shown, { preview = false, repeatable = true } = {}): void {
    const { envelope, argument, before } = shown;
    this.shown = shown;
    this.front.turned();
    this.open(envelope.tool);
    this.content = this.going(); // which the page keeps
    this.tell({ type: 'show', envelope, preview, comparable: before !== undefined, rerunnable: repeatable && argument.tool !== undefined });
  }

  /** What it was told of runs that go on. */
  private going(): ResultContent[] {
    const over = new Set(this.content.map((told) => (told.type === 'ended' ? told.token : '')));
    return this.content.filter((told) => told.type === 'output' && !over.has(told.token));
  }

  private open(tool: string): void {
    if (this.panel) {
      this.panel.title = `Result: ${tool}`;
      if (this.busy(this.panel.viewColumn)) {
        void window.setStatusBarMessage(`$(info) The result of ${iconless(tool)} is behind the form`, 6000);
      } else {
        this.panel.reveal(undefined, true);
      }
      return;
    }
    this.panel = newPanel(this.context, 'result', `Result: ${tool}`, true);
    this.front.stands(this.panel, () => this.shown?.argument.uri);
    this.panel.webview.onDidReceiveMessage((action: ResultAction) => this.act(action));
    this.panel.onDidDispose(() => {
      this.panel = undefined;
      this.ready = false;
      this.content = this.going(); // which the next chunk of a run would open again
    });
  }

  private tell(content: ResultContent): void {
    this.content.push(content);
    if (this.ready) {
      void this.panel?.webview.postMessage(content);
    }
  }

  private async act(action: ResultAction): Promise<void> {
    if (action === 'ready') { // again where VS Code has loaded the page anew, in another window
      this.ready = true;
      this.content.forEach((content) => void this.panel?.webview.postMessage(content));
      return;
    }
    if (this.shown === undefined) {
      return;
    }
    const { argument, envelope } = this.shown;
    try {
      await (action === 'compare' ? this.compare(this.shown) : this.doer()[action](argument, envelope));
    } catch (error) {
      void complain(`${argument.tool ?? 'ABL'}: ${told(error)}`);
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
    return commands.executeCommand('vscode.diff', at('before', before), at('this', envelope), `${argument.tool}: the run before${where(before, envelope)} ↔ this run${where(envelope, before)}`);
  }
}

/** Where a run was, beside one that was elsewhere. */
function where(run: Envelope | undefined, other: Envelope | undefined): string {
  const [here, there] = [run?.environment ?? '', other?.environment ?? ''];
  return here === there ? '' : ` in ${here || 'no environment'}`;
}

/** What came of a run: a value, or why there is none. */
function outcome(envelope: Envelope | undefined): unknown {
  return envelope?.ok ? envelope.value : (envelope?.error ?? null);
}

/** A result that VS Code can send to the page. */
function sendable(envelope: Envelope): Envelope {
  const warning = 'It is nested too deeply to be shown whole: … stands for the rest.';
  return isDeep(envelope) ? { ...cut(envelope), warnings: [...(envelope.warnings ?? []), warning] } : envelope;
}

function key(argument: RunArgument): string {
  return `${argument.uri}#${joined(argument)}`;
}

/** Says that there is something for the person to paste. */
export function copied(what: string): void {
  void window.setStatusBarMessage(`$(clippy) Copied ${what}`, 6000);
}
