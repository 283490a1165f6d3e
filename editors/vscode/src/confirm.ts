// Asks before a run that changes something, and shows what will be sent.
import { randomUUID } from 'node:crypto';
import { commands, Uri, window, workspace } from 'vscode';
import { errorText } from './errors';
import { exactText, indentJSON } from './exact';
import { ask, showError } from './notify';
import { panelColumn } from './panel';
import type { Envelope, Json, Needs, RunArgument } from './protocol';
import { withoutIcons } from './sanitize';
import { firstRows, shortenQuestion } from './shorten';

const run = 'Run';
const undo = 'Undo';
const showAll = 'Show All of It';
const runWithoutEffects = 'Run, and Write `side_effects: false`';

/** Returns the run with its confirmation, undefined if the person does not want it. */
export async function confirm(
  needed: NonNullable<Needs['confirmation']>,
  argument: RunArgument,
  command: string,
  envelope: Envelope,
): Promise<RunArgument | undefined> {
  const answer = await askWithRequest(shortenQuestion(needed.summary), envelope, command === 'abl.revert' ? [undo] : await runChoices(argument));
  if (answer === undefined) {
    return undefined;
  }
  if (answer === runWithoutEffects) {
    await writeNoSideEffects(argument);
  }
  return { ...argument, confirm: needed.digest };
}

/** Asks and shows the request. A request that is too long for a dialogue is shown in a document. */
async function askWithRequest(summary: string, { request, tool }: Envelope, choices: string[]): Promise<string | undefined> {
  const sent = requestText(request);
  const first = firstRows(sent);
  if (first === sent) {
    return ask(summary, sent, ...choices);
  }
  const cut = `This is the beginning of ${sent.length} characters:\n\n${first}…`;
  const answer = await ask(summary, cut, ...choices, showAll);
  if (answer !== showAll) {
    return answer;
  }
  await showReadonly(sent, tool);
  return showError(summary, ...choices); // not over the document; a warning would disappear too soon
}

/** Shows a text in a read-only document. */
async function showReadonly(text: string, title: string): Promise<void> {
  const scheme = 'abl-request';
  const provider = workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => text });
  try {
    const document = await workspace.openTextDocument(Uri.from({ scheme, path: `/What ${title} sends`, query: randomUUID() }));
    await window.showTextDocument(document, { viewColumn: panelColumn() });
  } finally {
    provider.dispose();
  }
}

/** Returns the choices: to run, and, if possible, to write into the tool that it needs no question. */
async function runChoices(argument: RunArgument): Promise<string[]> {
  try {
    await askServer('abl.noSideEffects', { ...argument, check: true });
    return [run, runWithoutEffects];
  } catch {
    return [run];
  }
}

/** Writes `side_effects: false` into the tool. If that fails, the run still goes on. */
async function writeNoSideEffects(argument: RunArgument): Promise<void> {
  try {
    await askServer('abl.noSideEffects', argument);
    void window.setStatusBarMessage(`$(edit) ${withoutIcons(argument.tool)} says \`side_effects: false\` now`, 6000);
  } catch (error) {
    void showError(`\`side_effects: false\` is not written: ${errorText(error)}`);
  }
}

function askServer<T>(command: string, argument: object): Promise<T> {
  return commands.executeCommand<T>('abl.ask', command, argument) as Promise<T>;
}

/** Returns a request as text for a person: its parts, one after the other. */
export function requestText(request: Json): string {
  if (request === null || typeof request !== 'object' || Array.isArray(request)) {
    return valueText(request);
  }
  return Object.entries(request)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => (typeof value === 'object' ? `${name}:\n${valueText(value)}` : `${name}: ${valueText(value)}`))
    .join('\n');
}

function valueText(value: Json): string {
  return exactText(value) ?? (typeof value === 'string' ? value : indentJSON(value));
}
