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
  question?: boolean; // a server asks while its tool runs; nothing is called
  typed: boolean; // the values were typed into an earlier form, and not submitted
  json: boolean; // all arguments are one text of JSON at first
}

/** Where the call of a form runs. It may change while the form is open. */
export interface RunLocation {
  words: string; // '' if there is only one possibility
  protected: boolean;
}

/** What a call would send, for the page of the form. */
export interface FormPreview {
  preview: string; // '' if it cannot be said yet
  reason: string; // why not
}

/** A value that a person chose in an earlier result for an argument. */
export interface PickedValue {
  picked: string; // the name of the argument
  value: Json;
}

/** The messages to the page of the form. */
export type FormMessage = FormContent | { where: RunLocation } | FormPreview | PickedValue;

/** The messages from the page of the form. */
export type FormAnswer =
  | { type: 'ready' }
  | { type: 'cancel' }
  | { type: 'typed' | 'submit'; args: { [name: string]: Json }; json: boolean } // json: they were typed as JSON
  | { type: 'preview'; args: { [name: string]: Json } }
  | { type: 'pick'; name: string };

/** The messages to the page of results. */
export type ResultContent =
  | { type: 'show'; envelope: Envelope; preview: boolean; comparable: boolean; rerunnable: boolean; pinned: boolean }
  | { type: 'running'; tool: string; token: string; since: number } // milliseconds since 1970
  | { type: 'progress'; token: string; message: string } // what a run does now
  | { type: 'output'; tool: string; token: string; chunk: string }
  | { type: 'ended'; token: string; stopped: boolean }; // stopped: there is no result

/** What the person wants with the result. */
export type ResultCommand = 'again' | 'edit' | 'compare' | 'curl' | 'command' | 'case' | 'save' | 'revert' | 'failure';

/** The messages from the page of results: that it is ready, or what the person wants. */
export type ResultAction =
  | { type: 'ready' }
  | { type: 'do'; command: ResultCommand }
  | { type: 'pin'; pinned: boolean }
  | { type: 'cancel'; token: string }
  | { type: 'open'; uri: string } // a resource of the server
  | { type: 'copy'; text: string; what: string }
  | { type: 'write'; suffix: string; text: string; base64: boolean };

/** A run, as the page of the plot draws it. */
export interface PlottedRun {
  run: string;
  tool: string;
  time: string; // RFC 3339
  duration_ms: number;
  ending: string;
  message: string; // why it failed
}

/** The content for the page of the plot, the newest run first. */
export interface PlotContent {
  runs: PlottedRun[];
}

/** The messages from the page of the plot. */
export type PlotAction = { type: 'ready' } | { type: 'open'; run: string };

/** How a case compares a field of the answer. */
export type Comparison = 'equal' | 'type' | 'matches';

/** A field of an answer that a case may expect, as abl.caseFields lists it. */
export interface CaseField {
  path: string; // an expression over `value`
  type: string;
  value: Json;
  how: Comparison; // what is suggested
  pattern: string; // what `matches` would compare with; '' if it is not offered
  ticked: boolean;
}

/** What a case expects of a field; without a value it is that of the answer. */
export interface ExpectedField {
  path: string;
  how: Comparison;
  value?: Json;
}

/** The content for the page that saves a case. */
export interface CaseContent {
  tool: string;
  taken: string[]; // the names of the tool's cases
  fields: CaseField[]; // of the answer
  failure: string; // a condition that the failure of the run meets; '' if it did not fail, or never began
}

/** The messages to the page that saves a case: its content, or why the case was not saved. */
export type CaseMessage = CaseContent | { error: string };

/** The messages from the page that saves a case. */
export type CaseAnswer = { type: 'ready' } | { type: 'cancel' } | { type: 'submit'; name: string; expect: ExpectedField[]; failure: boolean }; // failure: it is expected
