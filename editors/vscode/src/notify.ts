// Notifications. All go through here: their texts quote names and answers of others,
// and VS Code would make links of some.
import { ProgressLocation, window, type CancellationToken } from 'vscode';
import { linkless } from './plain';

export function inform(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showInformationMessage(linkless(message), ...choices);
}

export function warn(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showWarningMessage(linkless(message), ...choices);
}

export function complain(message: string, ...choices: string[]): Thenable<string | undefined> {
  return window.showErrorMessage(linkless(message), ...choices);
}

/** Does something that can be cancelled, and shows that it goes on. */
export function following<T>(title: string, act: (report: (message: string) => void, token: CancellationToken) => Thenable<T>): Thenable<T> {
  const options = { location: ProgressLocation.Notification, title: linkless(title), cancellable: true };
  return window.withProgress(options, (progress, token) => act((message) => progress.report({ message: linkless(message) }), token));
}
