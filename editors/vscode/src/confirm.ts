// The question before a run that changes something: it shows what will be sent.
import { commands, window } from 'vscode';
import { stringify, written } from './exact';
import type { Envelope, Json, Needs, RunArgument } from './protocol';

const room = 3000; // of the dialogue, in characters

/** The run with its confirmation, undefined where the person does not want it. */
export async function confirm(
  needed: NonNullable<Needs['confirmation']>,
  argument: RunArgument,
  command: string,
  preview: (argument: RunArgument) => Promise<Envelope> = previewOf,
): Promise<RunArgument | undefined> {
  const run = command === 'abl.revert' ? 'Undo' : 'Run';
  const harmless = 'Run, and Never Ask for This Tool';
  const sent = command === 'abl.revert' ? '' : asText((await preview(argument)).value);
  const choices = command === 'abl.revert' ? [run] : [run, harmless];
  const answer = await window.showWarningMessage(needed.summary, { modal: true, detail: sent.slice(0, room) }, ...choices);
  if (answer === undefined) {
    return undefined;
  }
  if (answer === harmless) {
    await commands.executeCommand('abl.ask', 'abl.noSideEffects', argument); // writes it into the tool
  }
  return { ...argument, confirm: needed.digest };
}

function previewOf(argument: RunArgument): Promise<Envelope> {
  return commands.executeCommand<Envelope>('abl.ask', 'abl.preview', argument) as Promise<Envelope>;
}

/** A request as a person reads it: its parts, one after the other. */
export function asText(request: Json): string {
  if (request === null || typeof request !== 'object' || Array.isArray(request)) {
    return plain(request);
  }
  return Object.entries(request)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => (typeof value === 'object' ? `${name}:\n${plain(value)}` : `${name}: ${plain(value)}`))
    .join('\n');
}

function plain(value: Json): string {
  return written(value) ?? (typeof value === 'string' ? value : stringify(value, 2));
}
