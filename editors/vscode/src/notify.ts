// Notifications and dialogues. All of them are shown by these functions, because their texts
// quote names and answers of others, in which VS Code would find links or text directions.
import { CancellationTokenSource, ProgressLocation, window, type CancellationToken } from 'vscode';
import { escapeBidi, withoutLinks } from './sanitize';

export function showInfo(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showInformationMessage(escapeBidi(withoutLinks(message)), ...choices);
}

export function showWarning(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showWarningMessage(escapeBidi(withoutLinks(message)), ...choices);
}

export function showError(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showErrorMessage(escapeBidi(withoutLinks(message)), ...choices);
}

/** Asks, and waits for the answer; undefined means no. */
export function ask(message: string, detail: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showWarningMessage(escapeBidi(message), { modal: true, detail: escapeBidi(detail) }, ...choices);
}

const soon = 400; // ms; a faster answer needs no notification, which would stay longer than that

/** Does something that can be cancelled, also by itself, and shows its progress if it takes longer. */
export async function withProgress<T>(title: string, act: (report: (message: string) => void, token: CancellationToken, cancel: () => void) => Thenable<T>): Promise<T> {
  const source = new CancellationTokenSource();
  let message = '';
  let report = (said: string): void => void (message = said);
  const done = Promise.resolve(act((said) => report(said), source.token, () => source.cancel()));
  const over = done.then(() => true, () => true);
  if (!(await Promise.race([over, new Promise((resolve) => setTimeout(resolve, soon))]))) {
    const options = { location: ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
    void window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => source.cancel());
      report = (said) => progress.report({ message: withoutLinks(said) });
      if (message !== '') {
        report(message);
      }
      return over;
    });
  }
  return done;
}
