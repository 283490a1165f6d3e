// Whether a person types: a question that came up amid it would take the next key, and
// Enter would allow what it asks.
import { window, workspace, type ExtensionContext } from 'vscode';

const pause = 1000; // ms without a key in which somebody has stopped

export class TypingMonitor {
  private last = 0;

  constructor(context: ExtensionContext) {
    context.subscriptions.push(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === window.activeTextEditor?.document && document.isDirty) { // what is read anew nobody has typed
          this.recordKey();
        }
      }),
    );
  }

  /** Something was typed. */
  recordKey(): void {
    this.last = Date.now();
  }

  /** What was typed was sent. */
  reset(): void {
    this.last = 0;
  }

  /** Waits until nobody types. */
  async waitForPause(): Promise<void> {
    for (let rest = this.remaining(); rest > 0; rest = this.remaining()) {
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  private remaining(): number {
    return Math.min(this.last + pause - Date.now(), pause); // whatever a clock that is set does
  }
}
