// Repeats a run in its earlier environment, whatever is chosen now.
import { ask } from './notify';
import type { Environment, RunArgument } from './protocol';
import type { Runs } from './run';

/** Returns the call in the environment of the earlier run; undefined if that run had none, and the
 * person does not want the current one. */
export async function inEarlierEnvironment(runs: Runs, argument: RunArgument, was: string | undefined): Promise<RunArgument | undefined> {
  if (was !== '') {
    return was === undefined ? argument : { ...argument, environment: was };
  }
  const all = await runs.askForList<Environment[]>('abl.environments', { uri: argument.uri });
  const now = all.find(({ current }) => current)?.name;
  return now === undefined || (await confirmEnvironment(argument.tool, now)) ? argument : undefined;
}

async function confirmEnvironment(tool: string, now: string): Promise<boolean> {
  const yes = `Run in ${now}`;
  const detail = `It ran in no environment before, and tools run in ${now} now.`;
  return (await ask(`Run ${tool} in ${now}?`, detail, yes)) === yes;
}
