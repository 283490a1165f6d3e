// The document that a person has in mind: that of the text editor in front, or of the
// last one while a form, a result, two of them compared or the walkthrough has the keyboard.
import { EventEmitter, window, workspace, type Disposable, type ExtensionContext, type TextDocument, type TextEditor } from 'vscode';

const passing = ['output', 'abl-result', 'abl-request']; // of what is only looked at

export class Front {
  private last = window.activeTextEditor?.document;
  private readonly changed = new EventEmitter<void>();

  /** Tells when another document is in front. */
  readonly onDidChange = this.changed.event;

  constructor(context: ExtensionContext) {
    context.subscriptions.push(this.changed, ...this.follow());
  }

  get document(): TextDocument | undefined {
    return this.last?.isClosed === false ? this.last : undefined;
  }

  private follow(): Disposable[] {
    const take = (editor: TextEditor | undefined) => {
      if (editor && !passing.includes(editor.document.uri.scheme)) {
        this.last = editor.document;
        this.changed.fire();
      }
    };
    const closed = (document: TextDocument) => document === this.last && this.changed.fire();
    return [window.onDidChangeActiveTextEditor(take), workspace.onDidCloseTextDocument(closed)];
  }
}
