// Texts of errors for a person.
import { commands, type Disposable } from 'vscode';
import { ErrorCodes } from 'vscode-languageclient';
import { showError } from './notify';

// The client's texts for these errors are meant for programmers.
const clientErrorTexts: { [code: number]: string } = {
  [ErrorCodes.PendingResponseRejected]: 'the ABL server ended before it had answered',
  [ErrorCodes.ConnectionInactive]: 'the ABL server is not running; ABL: Restart the Server starts it',
};

/** Returns the text of an error. */
export function errorText(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return (typeof code === 'number' && clientErrorTexts[code]) || (error instanceof Error ? error.message : String(error));
}

/** Reports whether the server ended before it answered. */
export function endedWhileAsked(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === ErrorCodes.PendingResponseRejected;
}

/** Registers a command that shows its error. */
export function registerCommand<A extends unknown[]>(command: string, act: (...args: A) => unknown): Disposable {
  return commands.registerCommand(command, async (...args: A) => {
    try {
      return await act(...args);
    } catch (error) {
      void showError(`ABL: ${errorText(error)}`);
      return undefined;
    }
  });
}
