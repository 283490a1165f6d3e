// One panel with a result. It shows one after the other, until it is pinned.
import { env, window, type ExtensionContext, type ViewColumn, type WebviewPanel } from 'vscode';
import type { ActiveFile } from './activefile';
import { errorText } from './errors';
import type { ResultAction, ResultCommand, ResultContent } from './messages';
import { showError } from './notify';
import { newPanel } from './panel';
import type { Envelope, RunArgument } from './protocol';
import { withoutIcons } from './sanitize';
import { saveText } from './save';

/** A result, and the call that gave it. */
export interface Shown {
  envelope: Envelope;
  argument: RunArgument;
  before: Envelope | undefined;
}

/** What a panel needs of the extension. */
export interface PanelHost {
  context: ExtensionContext;
  front: ActiveFile;
  isBusy(column: ViewColumn | undefined): boolean; // whether a form is active in the column
  act(command: ResultCommand, shown: Shown): Promise<void>;
  cancel(token: string): void;
  openResource(uri: string, shown: Shown): Promise<void>; // of the server that gave the result
}

export class ResultPanel {
  shown: Shown | undefined;
  pinned = false;
  private panel: WebviewPanel | undefined;
  private ready = false;
  private content: ResultContent[] = []; // what was sent to the page and is shown

  constructor(private readonly host: PanelHost) {}

  /** Whether the panel is open. */
  get isOpen(): boolean {
    return this.panel !== undefined;
  }

  /** Whether a form covers the panel. */
  get isBehindForm(): boolean {
    return this.panel !== undefined && this.host.isBusy(this.panel.viewColumn);
  }

  present(shown: Shown, preview: boolean, rerunnable: boolean): void {
    this.shown = shown;
    this.host.front.notifyChange();
    this.open(shown.envelope.tool);
    this.content = this.contentOfRuns(); // the page keeps it
    this.send({ type: 'show', envelope: shown.envelope, preview, comparable: shown.before !== undefined, rerunnable, pinned: this.pinned });
  }

  /** Shows that a run goes on, instead of the result. */
  began(tool: string, token: string, since: number): void {
    this.send({ type: 'running', tool, token, since });
  }

  progress(token: string, message: string): void {
    this.content = this.content.filter((told) => told.type !== 'progress' || told.token !== token);
    this.send({ type: 'progress', token, message });
  }

  output(tool: string, token: string, chunk: string): void {
    if (!this.isOpen || !this.follows(token)) {
      const above = this.content.find((told) => told.type === 'show');
      this.open(above ? above.envelope.tool : tool); // a result keeps its title
    }
    this.send({ type: 'output', tool, token, chunk });
  }

  ended(token: string, stopped: boolean): void {
    this.send({ type: 'ended', token, stopped });
  }

  /** Whether the panel shows something of a run. */
  follows(token: string): boolean {
    return this.content.some((told) => (told.type === 'output' || told.type === 'running') && told.token === token);
  }

  /** Whether the panel shows the elapsed time of a run. */
  showsRunning(token: string): boolean {
    return this.content.some((told) => told.type === 'running' && told.token === token);
  }

  /** Opens the panel, or brings it to the front. */
  open(tool: string): void {
    const title = `Result: ${tool}`;
    if (this.panel) {
      this.panel.title = this.pinned ? `${title} (pinned)` : title;
      if (this.isBehindForm) {
        void window.setStatusBarMessage(`$(info) The result of ${withoutIcons(tool)} is behind the form`, 6000);
      } else {
        this.panel.reveal(undefined, true);
      }
      return;
    }
    this.content = this.contentOfRuns();
    this.panel = newPanel(this.host.context, 'result', title, true);
    this.host.front.followPanel(this.panel, () => this.shown?.argument.uri);
    this.panel.webview.onDidReceiveMessage((action: ResultAction) => this.receive(action).catch((error: unknown) => {
      void showError(`${this.shown?.argument.tool ?? 'ABL'}: ${errorText(error)}`); // for example it cannot be written there
    }));
    this.panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined; // it may be large
      this.ready = false;
      this.pinned = false;
      this.content = this.contentOfRuns(); // the next chunk of a run opens the panel again
    });
  }

  /** Returns what was told of the runs that have not ended. */
  private contentOfRuns(): ResultContent[] {
    const over = new Set(this.content.map((told) => (told.type === 'ended' ? told.token : '')));
    return this.content.filter((told) => (told.type === 'output' || told.type === 'progress' || told.type === 'running') && !over.has(told.token));
  }

  private send(content: ResultContent): void {
    this.content.push(content);
    if (this.ready) {
      void this.panel?.webview.postMessage(content);
    }
  }

  private async receive(action: ResultAction): Promise<void> {
    switch (action.type) {
      case 'ready': // sent again if VS Code has reloaded the page in another window
        this.ready = true;
        this.content.forEach((content) => void this.panel?.webview.postMessage(content));
        return;
      case 'do':
        return this.shown && this.host.act(action.command, this.shown);
      case 'pin':
        return this.pin(action.pinned);
      case 'cancel':
        return this.host.cancel(action.token);
      case 'open':
        return this.shown && this.host.openResource(action.uri, this.shown);
      case 'copy':
        await env.clipboard.writeText(action.text);
        return showCopied(action.what);
      case 'write':
        return saveText(this.shown?.envelope.tool ?? 'result', action);
    }
  }

  private pin(pinned: boolean): void {
    this.pinned = pinned;
    this.content = this.content.map((told) => (told.type === 'show' ? { ...told, pinned } : told));
    if (this.panel) {
      this.panel.title = `Result: ${this.shown?.envelope.tool ?? ''}${pinned ? ' (pinned)' : ''}`;
    }
  }
}

/** Says that something was copied, so that the person can paste it. */
export function showCopied(what: string): void {
  void window.setStatusBarMessage(`$(clippy) Copied ${withoutIcons(what)}`, 6000);
}
