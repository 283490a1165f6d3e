// Saved cases in the Test Explorer: what the server finds in `*.cases.yaml`.
import {
  CancellationTokenSource,
  Location,
  TestMessage,
  tests,
  TestRunProfileKind,
  TestRunRequest,
  TestTag,
  Uri,
  workspace,
  type CancellationToken,
  type Disposable,
  type TestController,
  type TestItem,
  type TestRun,
  type TextDocument,
} from 'vscode';
import type { LanguageClient, Middleware } from 'vscode-languageclient/node';
import { refusal, type Answers } from './answers';
import { reasonsOf } from './ending';
import { ownerOf } from './folder';
import { complain, following } from './notify';
import { forTerminal, iconless } from './plain';
import type { Case, Envelope, Failure, RunArgument, TestResult } from './protocol';
import { afresh, type Batch, type Runs, type Tested, type Viewer } from './run';
import { told } from './told';
import { covers, filesOf, watchFiles } from './watch';

const pattern = '**/*.cases.yaml';

export class Cases {
  private readonly controller: TestController = tests.createTestController('abl', 'ABL cases');
  private readonly arguments = new WeakMap<TestItem, RunArgument>();
  private readonly asked = new Map<string, Promise<Case[] | undefined>>(); // of each file the last time: answers may overtake each other

  constructor(
    private readonly client: () => LanguageClient,
    private readonly runs: Runs,
    private readonly answers: Answers,
    private readonly viewer: Viewer,
  ) {
    this.controller.createRunProfile('Run', TestRunProfileKind.Run, (request, token) => this.runAll(request, token), true);
    this.controller.refreshHandler = () => this.find();
  }

  /** Runs one case, as its lens asks for: its place in the Test Explorer says whether it passed, and what came is shown. */
  async runOnly(argument: RunArgument): Promise<Envelope | undefined> {
    const item = await this.itemOf(argument);
    if (item === undefined) {
      return this.runs.run(argument);
    }
    const { uri, tool: _, case: __, ...given } = argument;
    const results = await following(`Running ${item.label}`, (_, token) => this.run(new TestRunRequest([item]), token, given));
    const tested = results.get(item);
    if (tested?.status === 'skipped') {
      return this.runs.run(argument); // skipped among others, not where it is asked for
    }
    const result = tested?.result && { ...tested.result, warnings: [...(tested.result.warnings ?? []), ...missed(tested)] };
    const asked = { ...argument, ...tested?.asked, uri }; // with what the person gave it
    if (result) {
      this.viewer.show(result, asked, 'abl.test');
    } else if (tested) { // else what was shown before would seem to be its result
      void complain(`${item.label}: ${reasonsOf(tested).join('\n')}`);
    }
    void this.retype(results, () => this.runOnly(afresh(asked)));
    return result ?? undefined;
  }

  private async itemOf({ uri, tool, case: name }: RunArgument): Promise<TestItem | undefined> {
    const found = (await this.runs.known<Case[]>('abl.cases', { uri })).find((one) => one.tool === tool && one.name === name);
    if (found === undefined) {
      return undefined;
    }
    await this.read(Uri.parse(found.uri));
    return this.controller.items.get(Uri.parse(found.uri).toString())?.children.get(idOf(found));
  }

  /** Follows what changes. */
  watch(): Disposable[] {
    const read = (uri: Uri) => void this.read(uri);
    const files = watchFiles(pattern, {
      created: read,
      changed: read,
      gone: (uri) => this.forget((id) => covers(uri, id)),
      came: () => void this.find(),
    });
    const moved = workspace.onDidChangeWorkspaceFolders(() => this.find());
    return [this.controller, files, moved];
  }

  /** Follows what is typed, or closed as it was before: the server must know of it first. */
  following() {
    const after = async <E>(event: E, next: (event: E) => Promise<void>, document: TextDocument) => {
      await next(event);
      if (isOpen(document)) {
        void this.read(document.uri);
      }
    };
    return {
      didOpen: (document, next) => after(document, next, document),
      didChange: (event, next) => after(event, next, event.document),
      didClose: (document, next) => after(document, next, document),
    } satisfies Middleware;
  }

  /** Finds all cases as they are now. */
  async find(): Promise<void> {
    const open = workspace.textDocuments.filter(isOpen).map(({ uri }) => uri);
    const files = [...(await filesOf(pattern)), ...open];
    const found = new Set(files.map(String));
    this.forget((id) => !found.has(id));
    await Promise.all(files.map((uri) => this.read(uri)));
  }

  private forget(which: (id: string) => boolean): void {
    all(this.controller).filter(({ id }) => which(id)).forEach(({ id }) => this.controller.items.delete(id));
  }

  private async read(uri: Uri): Promise<void> {
    if (!this.client().isRunning()) {
      return; // nobody can say what is in it: all is found anew when the server runs
    }
    const id = uri.toString();
    const answer = this.runs.ask<Case[]>('abl.cases', { uri: id }).catch(() => undefined);
    this.asked.set(id, answer);
    const cases = await answer;
    if (this.asked.get(id) !== answer) {
      return;
    }
    this.asked.delete(id);
    if (cases === undefined) {
      return; // the server has ended, or nobody waits for it any more: the cases stay as they were
    }
    if (cases.length === 0) {
      this.controller.items.delete(id);
      return;
    }
    const file = this.controller.createTestItem(id, iconless(workspace.asRelativePath(uri)), uri);
    const taken = new Set<string>();
    file.children.replace(cases.map((found) => this.item(found, free(idOf(found), taken))));
    this.controller.items.add(file);
  }

  private item(found: Case, id: string): TestItem {
    const uri = Uri.parse(found.uri);
    const why = found.skip ? ` (${found.skip})` : ''; // a description would be read aloud in the name's place
    const item = this.controller.createTestItem(id, iconless(`${found.tool}: ${found.name}${why}`), uri);
    item.range = this.client().protocol2CodeConverter.asRange(found.range);
    item.tags = (found.tags ?? []).map((tag) => new TestTag(tag));
    this.arguments.set(item, { uri: found.uri, tool: found.tool, case: found.name });
    return item;
  }

  private async runAll(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const results = await this.run(request, token);
    void this.retype(results, (items) => this.runAll(new TestRunRequest(items), new CancellationTokenSource().token));
  }

  /** Offers to type secrets anew that cases were refused with, and to run these cases again: once for all that were sent the same. */
  private async retype(results: Map<TestItem, Tested>, again: (items: TestItem[]) => Promise<unknown>): Promise<void> {
    const questions = new Map<string, { result: Envelope; asked: RunArgument; items: TestItem[] }>();
    for (const [item, { status, result, asked }] of results) {
      if (status !== 'passed' && result && asked && refusal(result, asked)) {
        const sent = `${await ownerOf(asked.uri)} ${asked.kept?.join(' ')}`;
        const { items = [] } = questions.get(sent) ?? {};
        questions.set(sent, { result, asked, items: [...items, item] });
      }
    }
    for (const { result, asked, items } of questions.values()) {
      void this.answers.retyped(result, asked).then((anew) => anew && again(items));
    }
  }

  /** Runs cases, each as it is written where nothing else is given. */
  private async run(request: TestRunRequest, token: CancellationToken, given: Partial<RunArgument> = {}): Promise<Map<TestItem, Tested>> {
    const run = this.controller.createTestRun(request);
    const either = new CancellationTokenSource();
    const ends = [token, run.token].map((one) => one.onCancellationRequested(() => either.cancel()));
    const left = leaves(request.exclude ?? []);
    const items = leaves(request.include ?? all(this.controller)).filter((item) => !left.includes(item));
    const batch: Batch = { said: {}, no: false };
    const results = new Map<TestItem, Tested>();
    items.forEach((item) => run.enqueued(item));
    for (const item of items) {
      const tested = await this.runOne(run, item, either.token, batch, given);
      if (tested) {
        results.set(item, tested);
      }
      if (!workspace.isTrusted) {
        either.cancel(); // nothing has run, and to ask once is enough
      }
    }
    ends.forEach((end) => end.dispose());
    run.end();
    return results;
  }

  /** Runs a case; undefined where it was cancelled, or did not come to run. */
  private async runOne(run: TestRun, item: TestItem, token: CancellationToken, batch: Batch, given: Partial<RunArgument>): Promise<Tested | undefined> {
    const argument = this.arguments.get(item);
    if (token.isCancellationRequested || argument === undefined) {
      run.skipped(item);
      return undefined;
    }
    run.started(item);
    const result = await this.runs.test({ ...argument, ...given }, token, batch).catch(failed);
    if (token.isCancellationRequested) {
      run.appendOutput(forTerminal(`${item.label}: cancelled`), undefined, item);
      run.skipped(item);
      return undefined;
    }
    this.judge(run, item, result);
    return result;
  }

  private judge(run: TestRun, item: TestItem, result: TestResult | undefined): void {
    const took = result?.result?.duration_ms;
    run.appendOutput(outcome(item, result), undefined, item);
    switch (result?.status) {
      case 'passed':
        return run.passed(item, took);
      case 'failed':
        return run.failed(item, (result.failures ?? []).map((failure) => this.message(failure)), took);
      case 'errored':
        return run.errored(item, new TestMessage(result.failures?.[0]?.message ?? result.result?.error?.message ?? 'not run'), took);
      default:
        return run.skipped(item);
    }
  }

  private message(failure: Failure): TestMessage {
    const compared = failure.expected || failure.actual;
    const message = compared ? TestMessage.diff(failure.message, failure.expected, failure.actual) : new TestMessage(failure.message);
    message.location = new Location(Uri.parse(failure.uri), this.client().protocol2CodeConverter.asRange(failure.range));
    return message;
  }
}

/** What the server did not even answer. */
function failed(error: unknown): TestResult {
  const start = { line: 0, character: 0 };
  return { status: 'errored', failures: [{ message: told(error), expected: '', actual: '', uri: '', range: { start, end: start } }], result: null };
}

/** What the pane of results says of a case. */
function outcome(item: TestItem, result: TestResult | undefined): string {
  const took = result?.result ? `, ${Math.round(result.result.duration_ms)} ms` : '';
  return [`${item.label}: ${result?.status ?? 'not run'}${took}`, ...(result ? reasonsOf(result) : []).map((one) => `  ${one}`), result?.result?.console ?? '']
    .filter(Boolean)
    .map(forTerminal)
    .join('');
}

/** What a case expected, and did not get. */
function missed({ status, failures }: TestResult): string[] {
  return (failures ?? []).map((failure) => `The case has ${status}. ${failure.message}`);
}

function idOf(found: Case): string {
  return `${found.uri}#${found.tool}#${found.name}`;
}

/** An id that no other case of the file has: two may be called alike, as one that is copied and typed on. */
function free(id: string, taken: Set<string>): string {
  for (let nth = 2, first = id; taken.has(id); nth++) {
    id = `${first}#${nth}`;
  }
  taken.add(id);
  return id;
}

/** Whether a document holds saved cases, and is no older state of them. */
function isOpen({ uri }: TextDocument): boolean {
  return uri.scheme === 'file' && uri.path.endsWith('.cases.yaml');
}

function all(controller: TestController): TestItem[] {
  const items: TestItem[] = [];
  controller.items.forEach((item) => items.push(item));
  return items;
}

function leaves(items: readonly TestItem[]): TestItem[] {
  return items.flatMap((item) => {
    const below: TestItem[] = [];
    item.children.forEach((child) => below.push(child));
    return below.length > 0 ? leaves(below) : [item];
  });
}
