// Saved cases in the Test Explorer: what the server finds in `*.cases.yaml`.
import {
  Location,
  TestMessage,
  tests,
  TestRunProfileKind,
  TestTag,
  Uri,
  workspace,
  type CancellationToken,
  type Disposable,
  type TestController,
  type TestItem,
  type TestRun,
  type TestRunRequest,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Case, Failure, RunArgument, TestResult } from './protocol';
import type { Runs, Said } from './run';

const pattern = '**/*.cases.yaml';

export class Cases {
  private readonly controller: TestController = tests.createTestController('abl', 'ABL cases');
  private readonly arguments = new WeakMap<TestItem, RunArgument>();

  constructor(
    private readonly client: () => LanguageClient,
    private readonly runs: Runs,
  ) {
    this.controller.createRunProfile('Run', TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.refreshHandler = () => this.find();
  }

  /** Finds all cases, and follows what changes. */
  watch(): Disposable[] {
    const watcher = workspace.createFileSystemWatcher(pattern);
    const read = (uri: Uri) => void this.read(uri);
    watcher.onDidCreate(read);
    watcher.onDidChange(read);
    watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString()));
    const typed = workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.path.endsWith('.cases.yaml')) {
        read(document.uri);
      }
    });
    void this.find();
    return [this.controller, watcher, typed];
  }

  private async find(): Promise<void> {
    const files = await workspace.findFiles(pattern, '**/node_modules/**');
    await Promise.all(files.map((uri) => this.read(uri)));
  }

  private async read(uri: Uri): Promise<void> {
    const cases = await this.runs.known<Case[]>('abl.cases', { uri: uri.toString() });
    if (cases.length === 0) {
      this.controller.items.delete(uri.toString());
      return;
    }
    const file = this.controller.createTestItem(uri.toString(), workspace.asRelativePath(uri), uri);
    file.children.replace(cases.map((found) => this.item(found)));
    this.controller.items.add(file);
  }

  private item(found: Case): TestItem {
    const uri = Uri.parse(found.uri);
    const item = this.controller.createTestItem(`${found.uri}#${found.tool}#${found.name}`, `${found.tool}: ${found.name}`, uri);
    item.range = this.client().protocol2CodeConverter.asRange(found.range);
    item.tags = (found.tags ?? []).map((tag) => new TestTag(tag));
    item.description = found.skip;
    this.arguments.set(item, { uri: found.uri, tool: found.tool, case: found.name });
    return item;
  }

  private async run(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const items = leaves(request.include ?? all(this.controller)).filter((item) => !request.exclude?.includes(item));
    const said: Said = {};
    items.forEach((item) => run.enqueued(item));
    for (const item of items) {
      if (token.isCancellationRequested) {
        run.skipped(item);
      } else {
        await this.runOne(run, item, token, said);
      }
    }
    run.end();
  }

  private async runOne(run: TestRun, item: TestItem, token: CancellationToken, said: Said): Promise<void> {
    run.started(item);
    try {
      const argument = this.arguments.get(item);
      const result = argument && (await this.runs.test(argument, token, said));
      this.judge(run, item, result);
    } catch (error) {
      run.errored(item, new TestMessage(error instanceof Error ? error.message : String(error)));
    }
  }

  private judge(run: TestRun, item: TestItem, result: TestResult | undefined): void {
    const took = result?.result?.duration_ms;
    if (result?.result?.console) {
      run.appendOutput(result.result.console.replaceAll('\n', '\r\n'), undefined, item);
    }
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
