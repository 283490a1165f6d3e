// The file that a person works on: that of the active text editor, or of the active form
// or result. While a comparison of results or the walkthrough has the focus, it is the
// file before.
import { EventEmitter, Uri, window, workspace, type Disposable, type ExtensionContext, type TextEditor, type WebviewPanel } from 'vscode';

const ignoredSchemes = ['output', 'abl-result', 'abl-request']; // of read-only documents

export class ActiveFile {
  private last = window.activeTextEditor?.document;
  private panel: { panel: WebviewPanel; about: () => string | undefined } | undefined; // set while it is active
  private readonly changed = new EventEmitter<void>();

  /** Fires when another file is active. */
  readonly onDidChange = this.changed.event;

  constructor(context: ExtensionContext) {
    context.subscriptions.push(this.changed, ...this.followEditors());
  }

  get uri(): Uri | undefined {
    const about = this.panel?.about();
    if (about !== undefined) {
      return Uri.parse(about);
    }
    return this.last?.isClosed === false ? this.last.uri : undefined;
  }

  /** Makes the file that a panel is about the active one while the panel is active. about returns its URI. */
  followPanel(panel: WebviewPanel, about: () => string | undefined): void {
    const take = () => panel.active && this.choosePanel({ panel, about });
    panel.onDidChangeViewState(take);
    panel.onDidDispose(() => this.panel?.panel === panel && this.choosePanel(undefined));
    take();
  }

  /** Fires because the active panel is about another file now. */
  notifyChange(): void {
    this.changed.fire();
  }

  private choosePanel(panel: ActiveFile['panel']): void {
    this.panel = panel;
    this.changed.fire();
  }

  private followEditors(): Disposable[] {
    const take = (editor: TextEditor | undefined) => {
      if (editor && !ignoredSchemes.includes(editor.document.uri.scheme)) {
        this.last = editor.document;
        this.choosePanel(undefined);
      }
    };
    return [window.onDidChangeActiveTextEditor(take), workspace.onDidCloseTextDocument((document) => document === this.last && this.changed.fire())];
  }
}
