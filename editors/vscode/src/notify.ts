// Notifications and dialogues. All go through here: their texts quote names and answers of
// others, of which VS Code would make links, or turn them around.
import { CancellationTokenSource, ProgressLocation, window, type CancellationToken } from 'vscode';
import { linkless, upright } from './plain';

export function inform(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showInformationMessage(upright(linkless(message)), ...choices);
}

export function warn(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showWarningMessage(upright(linkless(message)), ...choices);
}

export function complain(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showErrorMessage(upright(linkless(message)), ...choices);
}

/** Asks, and waits for the answer; undefined: no. */
export function ask(message: string, detail: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showWarningMessage(upright(message), { modal: true, detail: upright(detail) }, ...choices);
}

const soon = 400; // ms in which an answer comes that needs nothing shown; a notification stays for longer than that

/** Does something that can be cancelled, and shows that it goes on where it does not end soon. */
export async function following<T>(title: string, act: (report: (message: string) => void, token: CancellationToken) => Thenable<T>): Promise<T> {
  const source = new CancellationTokenSource();
  let message = '';
  let report = (said: string): void => void (message = said);
  const done = Promise.resolve(act((said) => report(said), source.token));
  const over = done.then(() => true, () => true);
  if (!(await Promise.race([over, new Promise((resolve) => setTimeout(resolve, soon))]))) {
    const options = { location: ProgressLocation.Notification, title: linkless(title), cancellable: true };
    void window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => source.cancel());
      report = (said) => progress.report({ message: linkless(said) });
      if (message !== '') {
        report(message);
      }
      return over;
    });
  }
  return done;
}
