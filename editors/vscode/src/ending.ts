// How a run ended, with the same word in the list of runs, on the page and for screen readers.
// A refused or cancelled run has not failed.
import type { Envelope, Fault, TestResult } from './protocol';

export type Ending = 'succeeded' | 'failed' | 'refused' | 'cancelled' | 'did not run' | 'its end is not known';

const kinds: { [kind: string]: Ending } = { denied: 'refused', needs: 'did not run', unknown: 'its end is not known' };

export function endingOf(ok: boolean, error: Fault | null): Ending {
  if (ok || error === null) {
    return ok ? 'succeeded' : 'failed';
  }
  return error.code === 'cancelled' ? 'cancelled' : (kinds[error.kind] ?? 'failed');
}

/** The error of a run whose end is not in the journal. */
export const unknownEnd: Fault = {
  kind: 'unknown',
  code: 'unknown',
  message: 'It still runs, or what ran it has ended before it. It may have done what it was to do.',
};

/** The envelope of a run without a result. */
export const emptyEnvelope: Envelope = {
  run: '',
  ok: false,
  tool: '',
  kind: '',
  value: null,
  text: '',
  content_type: '',
  render: null,
  set: null,
  error: unknownEnd,
  needs: null,
  warnings: null,
  attempts: null,
  request: null,
  console: '',
  breaker: null,
  verified: null,
  cached: false,
  truncated: null,
  duration_ms: 0,
};

/** Returns why a saved case did not pass, each reason once: an unmet expectation may contain the error. */
export function failureReasons({ failures, result }: TestResult): string[] {
  const missed = (failures ?? []).map(({ message }) => message);
  const error = result?.error?.message;
  return error && !missed.some((message) => message.includes(error)) ? [...missed, error] : missed;
}
