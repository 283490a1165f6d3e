// What the server and the extension exchange besides the protocol.
import type { Location, Position, Range } from 'vscode-languageclient';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Permission {
  kind: string;
  resource: string;
  op: string;
}

/** The argument of abl.run and of similar commands. */
export interface RunArgument {
  uri: string;
  tool: string;
  version?: string;
  args?: { [name: string]: Json };
  case?: string;
  environment?: string;
  session?: { [name: string]: Json };
  fresh?: boolean; // the tool is called, even if a result is cached
  confirm?: string;
  grant?: Permission[];
  allowHosts?: string[];
  secrets?: { [name: string]: string };
  input?: { state: string; answers: { [id: string]: InputAnswer } }; // to the questions of a server
  resource?: string; // of abl.readResource: the URI to read
  kept?: string[]; // names of secrets for which the server asks before a new host gets them
}

/** JSON Schema, as far as the server uses it for arguments. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: { [name: string]: Schema };
  required?: string[];
  items?: Schema;
  enum?: Json[];
  const?: Json;
  default?: Json;
  format?: string;
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  $ref?: string;
  $defs?: { [name: string]: Schema };
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
}

/** What a server asks while its tool runs. */
export interface InputNeeds {
  server: string;
  state: string; // names the call that waits
  requests: InputRequest[];
}

/** A question of a server: a form, or a page to visit. */
export interface InputRequest {
  id: string;
  mode: string; // form or url
  message: string;
  schema?: Schema;
  url?: string;
}

export interface InputAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: { [name: string]: Json };
}

export interface Needs {
  arguments?: Schema;
  confirmation?: { summary: string; digest: string };
  permission?: Permission[];
  secrets?: string[];
  trust?: boolean;
  browser?: string;
  input?: InputNeeds;
}

export interface Fault {
  kind: string;
  code: string;
  message: string;
  title?: string; // how the run ended, in a few words
  hint?: string;
  retryable?: boolean;
  details?: { host?: string; sent?: string; session?: string; file?: string; line?: number; [name: string]: Json | undefined } | null;
}

export interface Attempt {
  started: string;
  duration_ms: number;
  status: number;
  error: string;
  phases?: Phase[] | null;
}

/** A part of the time of an attempt. */
export interface Phase {
  name: string;
  start_ms: number;
  duration_ms: number;
}

/** The last HTTP answer of a run. */
export interface Response {
  status: number;
  headers: { [name: string]: string }; // names in lowercase
  bytes: number; // of the body
  raw?: string; // the body as it came
  raw_encoding?: string; // base64: the body is not text
  raw_cut?: boolean; // only its beginning is there
}

/** The result of a run. */
export interface Envelope {
  run: string;
  ok: boolean;
  tool: string;
  kind: string;
  value: Json;
  text: string;
  content_type: string;
  encoding?: string; // base64: the value is bytes that are not text
  content?: Json[]; // the blocks of an MCP server, if they say more than the value
  render: { kind: string; component: string; props: Json } | null;
  set: { [name: string]: Json } | null;
  error: Fault | null;
  needs: Needs | null;
  warnings: string[] | null;
  attempts: Attempt[] | null;
  response?: Response | null;
  request: Json;
  console: string;
  breaker: string | null;
  verified: boolean | null;
  cached: boolean;
  truncated: { kept: number; total: number | null } | null;
  duration_ms: number;
  can_revert?: boolean;
  environment?: string; // the environment of abl.yaml in which it ran
  verdict?: TestResult['status']; // on the saved case that was run, set here
  time?: string; // when it ran, RFC 3339; set here for a run of the journal
}

/** A tool, as abl.tools lists it. */
export interface Tool {
  name: string;
  namespace: string; // its service, with which the name begins
  version: string;
  description: string;
  kind: string;
  file: string;
  range: Range;
  parameters: Schema;
  mutates: boolean | null;
  gate: string;
  origin: string;
}

export interface Case {
  tool: string;
  name: string;
  uri: string;
  range: Range;
  tags: string[] | null;
  skip: string;
  args: { [name: string]: Json } | null;
  session: { [name: string]: Json } | null;
  environment: string;
}

export interface Failure {
  message: string;
  expected: string;
  actual: string;
  uri: string;
  range: Range;
}

export interface TestResult {
  status: 'passed' | 'failed' | 'skipped' | 'errored';
  failures: Failure[] | null;
  result: Envelope | null;
}

export interface Environment {
  name: string;
  protected: boolean;
  default: boolean;
  current: boolean;
}

/** A run of the journal. */
export interface HistoryEntry {
  run: string;
  time: string;
  tool: string;
  version?: string;
  kind: string;
  environment: string;
  host?: string; // to which it went
  args?: { [name: string]: Json };
  ok: boolean | null; // null: its end is not known
  error: Fault | null;
  title?: string; // how it failed, in a few words
  value: Json;
  cut: { args?: number; value?: number } | null;
  duration_ms: number;
  uri: string;
  revertible: boolean;
  reverts?: string; // the run that this one undid
  unrepeatable?: string; // why the exact call is not known
}

/** The arguments of the lens that shows references. */
export interface ReferencesArgument {
  uri: string;
  position: Position;
  locations: Location[];
}
