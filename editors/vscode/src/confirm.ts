// The question before a run that changes something: it shows what will be sent.
import { randomUUID } from 'node:crypto';
import { commands, Uri, window, workspace } from 'vscode';
import { inLines, written } from './exact';
import { ask, complain } from './notify';
import { besideText } from './page';
import { iconless } from './plain';
import type { Envelope, Json, Needs, RunArgument } from './protocol';
import { beginning, question } from './room';
import { told } from './told';

const run = 'Run';
const undo = 'Undo';
const showAll = 'Show All of It';
const harmless = 'Run, and Write `side_effects: false`';

/** The run with its confirmation, undefined where the person does not want it. */
export async function confirm(
  needed: NonNullable<Needs['confirmation']>,
  argument: RunArgument,
  command: string,
  envelope: Envelope,
): Promise<RunArgument | undefined> {
  const answer = await showing(question(needed.summary), envelope, command === 'abl.revert' ? [undo] : await waysToRun(argument));
  if (answer === undefined) {
    return undefined;
  }
  if (answer === harmless) {
    await sayHarmless(argument);
  }
  return { ...argument, confirm: needed.digest };
}

/** Asks with what will be sent: what is too long for a dialogue stands in a document. */
async function showing(summary: string, { request, tool }: Envelope, choices: string[]): Promise<string | undefined> {
  const sent = asText(request);
  const first = beginning(sent);
  if (first === sent) {
    return ask(summary, sent, ...choices);
  }
  const cut = `This is the beginning of ${sent.length} characters:\n\n${first}…`;
  const answer = await ask(summary, cut, ...choices, showAll);
  if (answer !== showAll) {
    return answer;
  }
  await read(sent, tool);
  return complain(summary, ...choices); // not over the document; a warning would be gone before it is read
}

/** Shows a text that nobody can change. */
async function read(text: string, title: string): Promise<void> {
  const scheme = 'abl-request';
  const provider = workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => text });
  try {
    const document = await workspace.openTextDocument(Uri.from({ scheme, path: `/What ${title} sends`, query: randomUUID() }));
    await window.showTextDocument(document, { viewColumn: besideText() });
  } finally {
    provider.dispose();
  }
}

/** To run alone, or to write into the tool that nobody need be asked, where that can be. */
async function waysToRun(argument: RunArgument): Promise<string[]> {
  try {
    await server('abl.noSideEffects', { ...argument, check: true });
    return [run, harmless];
  } catch {
    return [run];
  }
}

/** Writes it into the tool. The run goes on where that cannot be. */
async function sayHarmless(argument: RunArgument): Promise<void> {
  try {
    await server('abl.noSideEffects', argument);
    void window.setStatusBarMessage(`$(edit) ${iconless(argument.tool)} says \`side_effects: false\` now`, 6000);
  } catch (error) {
    void complain(`\`side_effects: false\` is not written: ${told(error)}`);
  }
}

function server<T>(command: string, argument: object): Promise<T> {
  return commands.executeCommand<T>('abl.ask', command, argument) as Promise<T>;
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
  return written(value) ?? (typeof value === 'string' ? value : inLines(value));
}
