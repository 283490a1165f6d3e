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
import { refusalReason, type Answers } from './answers';
import { failureReasons } from './ending';
import { errorText } from './errors';
import { ownerOf } from './folder';
import { showError, withProgress } from './notify';
import type { Case, Envelope, Failure, RunArgument, TestResult } from './protocol';
import { withoutAnswers, type Batch, type Runs, type TestedCase, type Viewer } from './run';
import { terminalLines, withoutIcons } from './sanitize';
import { formatDuration } from './units';
import { covers, filesOf, watchFiles } from './watch';

const pattern = '**/*.cases.yaml';

export class Cases {
  private readonly controller: TestController = tests.createTestController('abl', 'ABL cases');
  private readonly arguments = new WeakMap<TestItem, RunArgument>();
  private readonly asked = new Map<string, Promise<Case[] | undefined>>(); // the last request for each file: answers may arrive in another order

  constructor(
    private readonly client: () => LanguageClient,
    private readonly runs: Runs,
    private readonly answers: Answers,
    private readonly viewer: Viewer,
  ) {
    this.controller.createRunProfile('Run', TestRunProfileKind.Run, (request, token) => this.runAll(request, token), true);
    this.controller.refreshHandler = () => this.find();
  }

  /** Runs one case from its lens. Its item in the Test Explorer shows whether it passed, and the result is shown. */
  async runOnly(argument: RunArgument): Promise<Envelope | undefined> {
    const item = await this.findItem(argument);
    if (item === undefined) {
      return this.runs.run(argument);
    }
    const { uri, tool: _, case: __, ...given } = argument;
    const results = await withProgress(`Running ${item.label}`, (_, token, cancel) => this.run(new TestRunRequest([item]), token, given, cancel));
    const tested = results.get(item);
    if (tested?.status === 'skipped') {
      return this.runs.run(argument); // a skipped case runs if it is requested alone
    }
    const result = tested?.result && { ...tested.result, verdict: tested.status, warnings: [...(tested.result.warnings ?? []), ...unmetExpectations(tested)] };
    const asked = { ...argument, ...tested?.argument, uri }; // with the person's answers
    if (result) {
      this.viewer.show(result, asked, 'abl.test');
    } else if (tested) { // otherwise the earlier result would appear to be its result
      void showError(`${item.label}: ${failureReasons(tested).join('\n')}`);
    }
    void this.offerToRetype(results, () => this.runOnly(withoutAnswers(asked)));
    return result ?? undefined;
  }

  private async findItem({ uri, tool, case: name }: RunArgument): Promise<TestItem | undefined> {
    const found = (await this.runs.askForList<Case[]>('abl.cases', { uri })).find((one) => one.tool === tool && one.name === name);
    if (found === undefined) {
      return undefined;
    }
    await this.read(Uri.parse(found.uri));
    return this.controller.items.get(Uri.parse(found.uri).toString())?.children.get(caseID(found));
  }

  /** Watches files and folders, and updates the items. */
  watch(): Disposable[] {
    const read = (uri: Uri) => void this.read(uri);
    const files = watchFiles(pattern, {
      created: read,
      changed: read,
      deleted: (uri) => this.forget((id) => covers(uri, id)),
      foldersCreated: () => void this.find(),
    });
    const moved = workspace.onDidChangeWorkspaceFolders(() => this.find());
    return [this.controller, files, moved];
  }

  /** Reads cases again after they are edited, or closed without saving. The server must get the change first. */
  middleware() {
    const after = async <E>(event: E, next: (event: E) => Promise<void>, document: TextDocument) => {
      await next(event);
      if (isOpenCases(document)) {
        void this.read(document.uri);
      }
    };
    return {
      didOpen: (document, next) => after(document, next, document),
      didChange: (event, next) => after(event, next, event.document),
      didClose: (document, next) => after(document, next, document),
    } satisfies Middleware;
  }

  /** Reads all cases again. */
  async find(): Promise<void> {
    const open = workspace.textDocuments.filter(isOpenCases).map(({ uri }) => uri);
    const files = [...(await filesOf(pattern)), ...open];
    const found = new Set(files.map(String));
    this.forget((id) => !found.has(id));
    await Promise.all(files.map((uri) => this.read(uri)));
  }

  private forget(which: (id: string) => boolean): void {
    allItems(this.controller).filter(({ id }) => which(id)).forEach(({ id }) => this.controller.items.delete(id));
  }

  private async read(uri: Uri): Promise<void> {
    if (!this.client().isRunning()) {
      return; // no one knows its content: all cases are read again when the server runs
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
      return; // the server has ended, or the request was cancelled: the cases stay unchanged
    }
    if (cases.length === 0) {
      this.controller.items.delete(id);
      return;
    }
    const file = this.controller.createTestItem(id, withoutIcons(workspace.asRelativePath(uri)), uri);
    const taken = new Set<string>();
    file.children.replace(cases.map((found) => this.item(found, uniqueID(caseID(found), taken))));
    this.controller.items.add(file);
  }

  private item(found: Case, id: string): TestItem {
    const uri = Uri.parse(found.uri);
    const why = found.skip ? ` (${found.skip})` : ''; // screen readers would read a description instead of the name
    const item = this.controller.createTestItem(id, withoutIcons(`${found.tool}: ${found.name}${why}`), uri);
    item.range = this.client().protocol2CodeConverter.asRange(found.range);
    item.tags = (found.tags ?? []).map((tag) => new TestTag(tag));
    this.arguments.set(item, { uri: found.uri, tool: found.tool, case: found.name });
    return item;
  }

  private async runAll(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const results = await this.run(request, token);
    void this.offerToRetype(results, (items) => this.runAll(new TestRunRequest(items), new CancellationTokenSource().token));
  }

  /** Offers to type secrets again if cases were refused with them, and to run these cases again: one question for all
   * cases with the same secrets. */
  private async offerToRetype(results: Map<TestItem, TestedCase>, again: (items: TestItem[]) => Promise<unknown>): Promise<void> {
    const questions = new Map<string, { result: Envelope; argument: RunArgument; items: TestItem[] }>();
    for (const [item, { status, result, argument }] of results) {
      if (status !== 'passed' && result && argument && refusalReason(result, argument)) {
        const sent = `${await ownerOf(argument.uri)} ${argument.kept?.join(' ')}`;
        const { items = [] } = questions.get(sent) ?? {};
        questions.set(sent, { result, argument, items: [...items, item] });
      }
    }
    for (const { result, argument, items } of questions.values()) {
      void this.answers.askToRetype(result, argument).then((anew) => anew && again(items));
    }
  }

  /** Runs cases as written, with given overriding their arguments. */
  private async run(request: TestRunRequest, token: CancellationToken, given: Partial<RunArgument> = {}, cancel?: () => void): Promise<Map<TestItem, TestedCase>> {
    const run = this.controller.createTestRun(request);
    const either = new CancellationTokenSource();
    const ends = [token, run.token].map((one) => one.onCancellationRequested(() => either.cancel()));
    const left = leaves(request.exclude ?? []);
    const items = leaves(request.include ?? allItems(this.controller)).filter((item) => !left.includes(item));
    const batch: Batch = { said: {}, refused: false, ...(cancel ? { cancel } : {}) };
    const results = new Map<TestItem, TestedCase>();
    items.forEach((item) => run.enqueued(item));
    for (const item of items) {
      const tested = await this.runOne(run, item, either.token, batch, given);
      if (tested) {
        results.set(item, tested);
      }
      if (!workspace.isTrusted) {
        either.cancel(); // nothing has run, and one question is enough
      }
    }
    ends.forEach((end) => end.dispose());
    run.end();
    return results;
  }

  /** Runs a case; undefined if it was cancelled, or was not run. */
  private async runOne(run: TestRun, item: TestItem, token: CancellationToken, batch: Batch, given: Partial<RunArgument>): Promise<TestedCase | undefined> {
    const argument = this.arguments.get(item);
    if (token.isCancellationRequested || argument === undefined) {
      run.skipped(item);
      return undefined;
    }
    run.started(item);
    const result = await this.runs.test({ ...argument, ...given }, token, batch).catch(erroredResult);
    if (token.isCancellationRequested) {
      run.appendOutput(terminalLines(`${item.label}: cancelled`), undefined, item);
      run.skipped(item);
      return undefined;
    }
    this.reportResult(run, item, result);
    return result;
  }

  private reportResult(run: TestRun, item: TestItem, result: TestResult | undefined): void {
    const took = result?.result?.duration_ms;
    run.appendOutput(outputText(item, result), undefined, item);
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

/** Returns the result of a case that the server did not answer. */
function erroredResult(error: unknown): TestResult {
  const start = { line: 0, character: 0 };
  return { status: 'errored', failures: [{ message: errorText(error), expected: '', actual: '', uri: '', range: { start, end: start } }], result: null };
}

/** Returns the text about a case for the pane of results. */
function outputText(item: TestItem, result: TestResult | undefined): string {
  const took = result?.result ? `, ${formatDuration(result.result.duration_ms)}` : '';
  return [`${item.label}: ${result?.status ?? 'not run'}${took}`, ...(result ? failureReasons(result) : []).map((one) => `  ${one}`), result?.result?.console ?? '']
    .filter(Boolean)
    .map(terminalLines)
    .join('');
}

/** Returns warnings about expectations that a case did not meet. */
function unmetExpectations({ status, failures }: TestResult): string[] {
  return (failures ?? []).map((failure) => `The case has ${status}. ${failure.message}`);
}

function caseID(found: Case): string {
  return `${found.uri}#${found.tool}#${found.name}`;
}

/** Returns an id that no other case of the file has: two may have the same name, for example after copying. */
function uniqueID(id: string, taken: Set<string>): string {
  for (let nth = 2, first = id; taken.has(id); nth++) {
    id = `${first}#${nth}`;
  }
  taken.add(id);
  return id;
}

/** Reports whether a document has saved cases, and is not an older version of them. */
function isOpenCases({ uri }: TextDocument): boolean {
  return uri.scheme === 'file' && uri.path.endsWith('.cases.yaml');
}

function allItems(controller: TestController): TestItem[] {
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
