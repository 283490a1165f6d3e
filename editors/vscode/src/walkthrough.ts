// The steps of the walkthrough.
import { commands } from 'vscode';

/** Ticks a step. Of a key that is set already when the walkthrough is first opened, VS Code heeds no
 * later change: it is set for the moment alone, so that who opens it later can still have the step ticked. */
export async function tickStep(key: 'abl.hasRun' | 'abl.hasCase'): Promise<void> {
  await commands.executeCommand('setContext', key, true);
  await commands.executeCommand('setContext', key, false);
}
