// Errors in words for a person.
import { commands, type Disposable } from 'vscode';
import { ErrorCodes } from 'vscode-languageclient';
import { showError } from './notify';

// What the client says of these is meant for programmers.
const clientErrorTexts: { [code: number]: string } = {
  [ErrorCodes.PendingResponseRejected]: 'the ABL server ended before it had answered',
  [ErrorCodes.ConnectionInactive]: 'the ABL server is not running; ABL: Restart the Server starts it',
};

/** What an error says. */
export function errorText(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return (typeof code === 'number' && clientErrorTexts[code]) || (error instanceof Error ? error.message : String(error));
}

/** Whether the server has ended while it was asked. */
export function endedWhileAsked(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === ErrorCodes.PendingResponseRejected;
}

/** A command for people: where it cannot be done, it says why. */
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
