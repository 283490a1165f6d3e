// What the views give away: to the clipboard, and into files. The extension does both.
import type { ResultAction } from '../src/messages';
import { post } from './host';

/** Copies a text; what says what it is. */
export function copy(text: string, what: string): void {
  post({ type: 'copy', text, what } satisfies ResultAction);
}

/** Saves a text, or bytes as base64, in a file whose name the person chooses. */
export function saveAs(suffix: string, text: string, base64 = false): void {
  post({ type: 'write', suffix, text, base64 } satisfies ResultAction);
}
