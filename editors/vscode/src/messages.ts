// What the pages of the web views and the extension say to each other.
import type { Envelope, Json, Schema } from './protocol';

/** What the page of the form is told. */
export interface FormContent {
  tool: string;
  description: string;
  schema: Schema; // what is asked for
  more: Schema; // what may be given too
  values: { [name: string]: Json };
  error: string;
  doing: string; // the word on the button
  typed: boolean; // the values hold what was typed into a form before, and not sent
}

/** Where the call of a form runs, which may change while the form is open. */
export interface RunLocation {
  words: string; // '' where there is nothing to tell apart
  protected: boolean;
}

/** What it says. */
export type FormAnswer = { type: 'ready' } | { type: 'cancel' } | { type: 'typed' | 'submit'; args: { [name: string]: Json } };

/** What the page of results is told. */
export type ResultContent =
  | { type: 'show'; envelope: Envelope; preview: boolean; comparable: boolean; rerunnable: boolean }
  | { type: 'output'; tool: string; token: string; chunk: string }
  | { type: 'ended'; token: string; stopped: boolean }; // stopped: there is no result

/** What it says: that it listens, or what the person wants. */
export type ResultAction = 'ready' | 'again' | 'edit' | 'compare' | 'curl' | 'command' | 'case' | 'save' | 'revert' | 'failure';
