// Sends a run, asks the person for what the answer needs, sends it again, and shows the
// result. The server keeps no dialogue; this class does.
import { EventEmitter, type CancellationToken } from 'vscode';
import { ExecuteCommandRequest, WorkDoneProgress } from 'vscode-languageclient';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Answers } from './answers';
import { emptyEnvelope } from './ending';
import { endedWhileAsked, errorText } from './errors';
import { ownerOf } from './folder';
import { showError, showInfo, withProgress } from './notify';
import type { Envelope, HistoryEntry, RunArgument, TestResult } from './protocol';

/** Shows the results of runs. */
export interface Viewer {
  show(envelope: Envelope, argument: RunArgument, command: string): void;
  began(tool: string, token: string, cancel: () => void): void;
  progress(token: string, message: string): void;
  output(tool: string, token: string, chunk: string): void;
  ended(token: string, stopped: boolean): void;
}

/** The answers of a person in a run. */
const answerNames = ['allowHosts', 'grant', 'secrets', 'kept', 'input', 'resource'] as const;
type GivenAnswers = Pick<RunArgument, 'allowHosts' | 'grant'>;

/** Several runs, one after the other. What was allowed for one also applies to the next of the same
 * owner; secrets are given to those that need them. After a person has said no, no one is asked again,
 * because a question covers everything else, also the button that stops the runs. */
export interface Batch {
  said: { [owner: string]: GivenAnswers };
  refused: boolean;
  cancel?: () => void; // set if the panel of results shows the runs
}

/** The result of a saved case, and the call that gave it. */
export interface TestedCase extends TestResult {
  argument?: RunArgument;
}

export class Runs {
  private count = 0;
  private readonly running = new Map<string, string>(); // the tool of a run, by the token of its progress
  private last: string | undefined; // the run that can be undone

  private readonly ended = new EventEmitter<void>();

  /** Fires when a run has ended. */
  readonly onDidEnd = this.ended.event;

  constructor(
    private readonly client: () => LanguageClient,
    private readonly answers: Answers,
    private readonly viewer: Viewer,
  ) {}

  /** Runs until there is a result; undefined if the person gave up. */
  async run(argument: RunArgument, command = 'abl.run'): Promise<Envelope | undefined> {
    let next: RunArgument | undefined = argument;
    while (next !== undefined) {
      const asked: RunArgument = next;
      const envelope = await this.sendOnce(command, asked);
      if (envelope === undefined) {
        return undefined;
      }
      const answer = await this.answers.answer(envelope, asked, command);
      if (answer === 'none needed' || answer === 'no') {
        this.last = envelope.can_revert ? envelope.run : this.last;
        this.viewer.show(envelope, asked, command);
        this.ended.fire();
        void this.answers.askToRetype(envelope, asked).then((anew) => anew && this.run(anew, command));
        return envelope;
      }
      next = answer;
    }
    return undefined;
  }

  preview(argument: RunArgument): Promise<Envelope | undefined> {
    return this.run(argument, 'abl.preview');
  }

  /** Runs a saved case, and asks for what it needs. */
  async test(argument: RunArgument, token: CancellationToken, batch: Batch): Promise<TestedCase | undefined> {
    const said = (batch.said[await ownerOf(argument.uri)] ??= {});
    let next: RunArgument | undefined = { ...argument, ...said };
    while (next !== undefined) {
      const asked: RunArgument = next;
      const result: TestResult = await this.sendWithProgress('abl.test', asked, token, () => undefined, batch.cancel);
      const answer = result.result ? await this.answer(result.result, asked, batch, token) : 'none needed';
      if (answer === 'none needed' || answer === 'no') {
        batch.refused ||= answer === 'no';
        this.ended.fire();
        return { ...result, argument: asked };
      }
      next = answer;
      Object.assign(said, next && { allowHosts: next.allowHosts, grant: next.grant });
    }
    batch.refused = true;
    return undefined;
  }

  private answer(envelope: Envelope, argument: RunArgument, batch: Batch, token: CancellationToken) {
    return batch.refused ? this.answers.withoutAsking(envelope, argument) : this.answers.answer(envelope, argument, 'abl.test', token);
  }

  /** Undoes a run; without an id, the last one that can be undone. */
  async revert(run = this.last): Promise<void> {
    if (run === undefined) {
      void showInfo('No run of this session can be undone.');
      return;
    }
    const past = await this.askForList<HistoryEntry[]>('abl.history', {});
    const uri = past.find((entry) => entry.run === run)?.uri; // the folder has its secrets
    await this.run({ run, uri } as unknown as RunArgument, 'abl.revert');
  }

  /** Sends a command, and returns its answer, without a dialogue. */
  ask<T>(command: string, argument: object, token?: CancellationToken): Promise<T> {
    return this.client().sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }, token) as Promise<T>;
  }

  /** Asks for a list to show; it is empty while the server does not run. */
  async askForList<T extends unknown[]>(command: string, argument: object): Promise<T | []> {
    return this.client().isRunning() ? this.ask<T>(command, argument).catch((): [] => []) : [];
  }

  /** Sends the command once and shows its progress; undefined if the person cancelled. */
  private async sendOnce(command: string, argument: RunArgument): Promise<Envelope | undefined> {
    const title = command === 'abl.revert' ? 'Undoing a run' : `Running ${argument.tool}`;
    const from = Date.now();
    return withProgress(title, async (report, token, cancel) => {
      try {
        return await this.sendWithProgress(command, argument, token, report, cancel);
      } catch (error) {
        if (!token.isCancellationRequested) {
          void showError(`${argument.tool ?? command}: ${errorText(error)}`);
          if (endedWhileAsked(error) && command === 'abl.run') { // otherwise an earlier result would appear to be of this run
            this.viewer.show({ ...emptyEnvelope, tool: argument.tool, duration_ms: Date.now() - from }, argument, command);
          }
        }
        return undefined;
      }
    });
  }

  /** Sends a run with a token for its progress. With cancel, the panel of results shows that it goes on. */
  async sendWithProgress<T>(command: string, argument: RunArgument, token: CancellationToken, report: (message: string) => void, cancel?: () => void): Promise<T> {
    const client = this.client();
    const workDoneToken = `abl-run-${process.pid}-${++this.count}`;
    const listener = client.onProgress(WorkDoneProgress.type, workDoneToken, (step) => {
      if (step.kind === 'report' && step.message) {
        report(step.message);
        this.viewer.progress(workDoneToken, step.message);
      }
    });
    this.running.set(workDoneToken, argument.tool);
    if (cancel) {
      this.viewer.began(argument.tool ?? 'Undo', workDoneToken, cancel);
    }
    let stopped = true;
    try {
      const came = (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument], workDoneToken }, token)) as T;
      stopped = false;
      return came;
    } catch (error) {
      this.ended.fire(); // the journal still has it
      throw error;
    } finally {
      this.viewer.ended(workDoneToken, stopped);
      this.running.delete(workDoneToken);
      listener.dispose();
    }
  }

  /** Shows output of a run while it goes on. */
  output(said: { token: string; chunk: string }): void {
    const tool = this.running.get(said.token);
    if (tool !== undefined) {
      this.viewer.output(tool, said.token, said.chunk);
    }
  }
}

/** Returns the call without the answers for one run. Secrets are stored elsewhere. */
export function withoutAnswers(argument: RunArgument): RunArgument {
  const { confirm: _, fresh: __, ...rest } = argument;
  for (const name of answerNames) {
    delete rest[name];
  }
  return rest;
}
