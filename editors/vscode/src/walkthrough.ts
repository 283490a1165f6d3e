// The steps of the walkthrough.
import { commands } from 'vscode';

/** Ticks a step. If a key is already set when the walkthrough is first opened, VS Code ignores later
 * changes. So the key is set only for a moment, and a walkthrough that is opened later can still tick the step. */
export async function tickStep(key: 'abl.hasRun' | 'abl.hasCase'): Promise<void> {
  await commands.executeCommand('setContext', key, true);
  await commands.executeCommand('setContext', key, false);
}
