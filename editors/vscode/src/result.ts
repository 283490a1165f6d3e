// The panel of results: one, which the next run takes over. It keeps the result
// before, to compare.
import { commands, Uri, window, workspace, type ExtensionContext, type TextDocumentContentProvider, type WebviewPanel } from 'vscode';
import { stringify } from './exact';
import { newPanel } from './page';
import type { Envelope, RunArgument } from './protocol';
import type { Viewer } from './run';
import type { ResultAction, ResultContent } from './views';

/** What the panel has others do. */
export type ResultDoer = { [A in Exclude<ResultAction, 'ready' | 'compare'>]: (argument: RunArgument, envelope: Envelope) => unknown };

interface Shown {
  envelope: Envelope;
  argument: RunArgument;
}

const scheme = 'abl-result';

export class Results implements Viewer, TextDocumentContentProvider {
  private panel: WebviewPanel | undefined;
  private ready = false;
  private shown: Shown | undefined;
  private readonly waiting: ResultContent[] = [];
  private readonly latest = new Map<string, Envelope>(); // by tool
  private readonly before = new Map<string, Envelope>();
  private streaming = false;

  constructor(
    private readonly context: ExtensionContext,
    private readonly doer: () => ResultDoer,
  ) {
    context.subscriptions.push(workspace.registerTextDocumentContentProvider(scheme, this));
  }

  show(envelope: Envelope, argument: RunArgument): void {
    const tool = key(argument);
    const last = this.latest.get(tool);
    if (last) {
      this.before.set(tool, last);
    }
    this.latest.set(tool, envelope);
    this.shown = { envelope, argument };
    this.streaming = false;
    this.open(envelope.tool);
    this.tell({ type: 'show', envelope, comparable: last !== undefined, rerunnable: argument.tool !== undefined });
  }

  output(tool: string, chunk: string): void {
    if (!this.streaming) {
      this.open(tool);
      this.streaming = true;
    }
    this.tell({ type: 'output', tool, chunk });
  }

  /** The result of this session's last run. */
  get last(): Envelope | undefined {
    return this.shown?.envelope;
  }

  /** A value as a document, for the comparison. */
  provideTextDocumentContent(uri: Uri): string {
    const of = uri.query === 'before' ? this.before : this.latest;
    const envelope = of.get(uri.fragment);
    return stringify(envelope?.ok ? envelope.value : (envelope?.error ?? null), 2);
  }

  private open(tool: string): void {
    if (this.panel) {
      this.panel.title = `Result: ${tool}`;
      this.panel.reveal(undefined, true);
      return;
    }
    this.panel = newPanel(this.context, 'result', `Result: ${tool}`);
    this.panel.webview.onDidReceiveMessage((action: ResultAction) => this.act(action));
    this.panel.onDidDispose(() => {
      this.panel = undefined;
      this.ready = false;
      this.waiting.length = 0;
    });
  }

  private tell(content: ResultContent): void {
    if (this.ready) {
      void this.panel?.webview.postMessage(content);
    } else {
      this.waiting.push(content);
    }
  }

  private act(action: ResultAction): unknown {
    if (action === 'ready') {
      this.ready = true;
      return this.waiting.splice(0).forEach((content) => this.tell(content));
    }
    if (this.shown === undefined) {
      return undefined;
    }
    const { argument, envelope } = this.shown;
    return action === 'compare' ? this.compare(argument) : this.doer()[action](argument, envelope);
  }

  private compare(argument: RunArgument): Thenable<unknown> {
    const at = (when: string) => Uri.from({ scheme, path: `/${argument.tool}.json`, query: when, fragment: key(argument) });
    return commands.executeCommand('vscode.diff', at('before'), at(`now ${Date.now()}`), `${argument.tool}: the run before ↔ this run`);
  }
}

function key(argument: RunArgument): string {
  return `${argument.uri}#${argument.tool}`;
}

/** Says that there is something for the person to paste. */
export function copied(what: string): void {
  void window.setStatusBarMessage(`$(clippy) Copied ${what}`, 4000);
}
