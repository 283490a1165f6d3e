// Knows whether a person types: a question that appeared meanwhile would get the next key, and
// Enter would allow what it asks.
import { window, workspace, type ExtensionContext } from 'vscode';

const pause = 1000; // ms without a key after which the person has stopped

export class TypingMonitor {
  private last = 0;

  constructor(context: ExtensionContext) {
    context.subscriptions.push(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === window.activeTextEditor?.document && document.isDirty) { // text that is reloaded was not typed
          this.recordKey();
        }
      }),
    );
  }

  /** Records that something was typed. */
  recordKey(): void {
    this.last = Date.now();
  }

  /** Forgets the last key, because the typed text was submitted. */
  reset(): void {
    this.last = 0;
  }

  /** Waits until the person has stopped typing. */
  async waitForPause(): Promise<void> {
    for (let rest = this.remaining(); rest > 0; rest = this.remaining()) {
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  private remaining(): number {
    return Math.min(this.last + pause - Date.now(), pause); // also if the clock is changed
  }
}
