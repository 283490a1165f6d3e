// How a run ended, in a few words. The message of the error has the details.
import { endingOf, type Ending } from './ending';
import type { Fault } from './protocol';

const endings: { [E in Ending]: string } = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  refused: 'Refused',
  cancelled: 'Cancelled',
  'did not run': 'Did not run',
  'its end is not known': 'Its end is not known',
};

// Runs of the journal have no title.
const kinds: { [kind: string]: string } = {
  definition: 'the tool cannot be run as it is written',
  arguments: 'an argument is wrong',
  timeout: 'its time ran out',
  limit: 'a limit was exceeded',
  network: 'there was no answer',
  remote: 'the other side refused',
  result: 'the result is not as it is declared',
  sandbox: 'the code failed',
  internal: 'the ABL server made a mistake',
};

/** Returns how a run with an error ended, such as "Failed: the server answered 404". */
export function failureTitle(error: Fault): string {
  const ending = endingOf(false, error);
  const status = error.details?.['status'] ?? /^http-(\d+)$/.exec(error.code)?.[1];
  const answered = error.kind === 'remote' && status ? `the server answered ${String(status)}` : undefined;
  const reason = answered ?? (Object.hasOwn(kinds, error.kind) ? kinds[error.kind] : undefined);
  return error.title ?? (ending === 'failed' && reason ? `${endings[ending]}: ${reason}` : endings[ending]);
}
