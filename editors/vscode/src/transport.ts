// Starts the server and exchanges messages on its stdin and stdout, with exact numbers.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { LogOutputChannel } from 'vscode';
import { StreamMessageReader, StreamMessageWriter, type MessageTransports } from 'vscode-languageclient/node';
import { parse, stringify } from './exact';
import { withoutLinks } from './sanitize';

const foreignNumbers = /"(?:duration_ms|parameters|args)"/; // keys of runs, tools and cases: only these contain numbers of others

const grace = 1500; // ms for a server to end after it was told to

export class Transport {
  private child: ChildProcessWithoutNullStreams | undefined;
  private ends: Promise<void> = Promise.resolve(); // of the servers that were told to end

  /** The program that was started last. */
  started = '';

  constructor(
    private readonly program: () => string,
    private readonly log: LogOutputChannel,
  ) {}

  /** Starts a server, and ends the one before if it still runs. */
  async start(): Promise<MessageTransports> {
    void this.end();
    const program = this.program();
    this.started = program;
    const child = spawn(program, ['serve'], { stdio: 'pipe' });
    this.child = child;
    child.stderr.on('data', (said: Buffer) => this.log.append(said.toString()));
    child.stdin.on('error', () => undefined); // it has ended; the reader reports that
    await new Promise<void>((resolve, reject) => {
      const absent = (error: Error) => reject(withoutStack(`${program} cannot be started: ${error.message}. The setting abl.server.path can name another one.`));
      child.once('spawn', resolve).once('error', absent);
    });
    return {
      reader: new StreamMessageReader(child.stdout, { charset: 'utf-8', contentTypeDecoder: { name: 'application/json', decode } }),
      writer: new StreamMessageWriter(child.stdin, { charset: 'utf-8', contentTypeEncoder: { name: 'application/json', encode } }),
    };
  }

  /** Reports whether there is a server that was not told to end. */
  get running(): boolean {
    return this.child !== undefined;
  }

  /** Kills a server that has not answered yet, and forgets it. */
  drop(): void {
    const child = this.child;
    this.child = undefined;
    child?.kill('SIGKILL');
    child?.stdout.destroy(); // its child processes may keep it open
  }

  /** Ends the servers that do not end by themselves, and waits until all have ended. */
  end(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    this.ends = Promise.all([this.ends, child && waitForExit(child)]).then(() => undefined);
    return this.ends;
  }
}

/** Waits for the end of a server that was told to end, as long as VS Code waits. Then it kills the
 * server, because one that hangs may react to nothing else. */
async function waitForExit(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return; // it was not started, or has ended
  }
  const kill = setTimeout(() => child.kill('SIGKILL'), grace);
  await once(child, 'exit');
  clearTimeout(kill);
}

/** Returns an error that the client shows without a stack trace. */
function withoutStack(message: string): Error {
  return Object.assign(new Error(message), { stack: undefined });
}

async function decode(bytes: Uint8Array): Promise<never> {
  const text = Buffer.from(bytes).toString('utf8');
  return withoutMessageLinks((foreignNumbers.test(text) ? parse(text) : JSON.parse(text)) as Message) as never;
}

interface Message {
  method?: string;
  params?: { message?: unknown };
  error?: { message?: unknown };
}

/** Removes links from a message that the client or VS Code shows as a notification. */
function withoutMessageLinks(said: Message): Message {
  const shown = said.method?.startsWith('window/showMessage') ? said.params : said.error;
  if (typeof shown?.message === 'string') {
    shown.message = withoutLinks(shown.message);
  }
  return said;
}

async function encode(message: unknown): Promise<Uint8Array> {
  return Buffer.from(stringify(message), 'utf8');
}
