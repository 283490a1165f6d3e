// The messages between the pages of the web views and the extension.
import type { Envelope, Json, Schema } from './protocol';

/** The content for the page of the form. */
export interface FormContent {
  tool: string;
  description: string;
  schema: Schema; // the required parameters
  more: Schema; // the optional parameters
  values: { [name: string]: Json };
  error: string;
  doing: string; // the text of the button
  typed: boolean; // the values were typed into an earlier form, and not submitted
}

/** Where the call of a form runs. It may change while the form is open. */
export interface RunLocation {
  words: string; // '' if there is only one possibility
  protected: boolean;
}

/** The messages from the page of the form. */
export type FormAnswer = { type: 'ready' } | { type: 'cancel' } | { type: 'typed' | 'submit'; args: { [name: string]: Json } };

/** The messages to the page of results. */
export type ResultContent =
  | { type: 'show'; envelope: Envelope; preview: boolean; comparable: boolean; rerunnable: boolean }
  | { type: 'output'; tool: string; token: string; chunk: string }
  | { type: 'ended'; token: string; stopped: boolean }; // stopped: there is no result

/** The messages from the page of results: that it is ready, or what the person wants. */
export type ResultAction = 'ready' | 'again' | 'edit' | 'compare' | 'curl' | 'command' | 'case' | 'save' | 'revert' | 'failure';
