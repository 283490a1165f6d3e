// The file that a person has in mind: that of the text editor in front, or the one that
// the form or the result in front is about. While two results compared or the walkthrough
// have the keyboard, it is the one before.
import { EventEmitter, Uri, window, workspace, type Disposable, type ExtensionContext, type TextEditor, type WebviewPanel } from 'vscode';

const ignoredSchemes = ['output', 'abl-result', 'abl-request']; // of what is only looked at

export class ActiveFile {
  private last = window.activeTextEditor?.document;
  private panel: { panel: WebviewPanel; about: () => string | undefined } | undefined; // that came in front since
  private readonly changed = new EventEmitter<void>();

  /** Tells when another file is in front. */
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

  /** Has a panel stand for the file that it is about, by its URI, as long as it is in front. */
  followPanel(panel: WebviewPanel, about: () => string | undefined): void {
    const take = () => panel.active && this.choosePanel({ panel, about });
    panel.onDidChangeViewState(take);
    panel.onDidDispose(() => this.panel?.panel === panel && this.choosePanel(undefined));
    take();
  }

  /** What is in front is about another file now. */
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
