// The client of the server: which files it gets, and what happens when it ends.
import { commands, type CodeLens, type ExtensionContext, type LogOutputChannel } from 'vscode';
import {
  CloseAction,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  LSPErrorCodes,
  State,
  type DocumentSelector,
  type ErrorHandler,
  type InitializeParams,
  type LanguageClientOptions,
  type Middleware,
} from 'vscode-languageclient/node';
import { showSnippets, suggestValuesNext, suppressWords } from './completion';
import { applyEdit } from './edits';
import { showError, showWarning } from './notify';
import { withoutIcons } from './sanitize';
import { serverProgram } from './server';
import { serverSettings } from './settings';
import { Transport } from './transport';

/** The commands in the server's lenses and fixes that the extension executes. */
export const clientCommands = ['abl.open', 'abl.references', 'abl.lineEnds'];

/** Which files the server gets. It recognizes tools of another system by the file's
 * content; the names exclude all other JSON and TypeScript. */
export const selector: DocumentSelector = [
  { scheme: 'file', language: 'abl' },
  { scheme: 'untitled', language: 'abl' },
  { scheme: 'untitled', pattern: '**/*.agent.yaml' },
  ...[
    '**/abl.yaml',
    '**/project.json',
    '**/*.agent.yaml',
    '**/*.cases.yaml',
    '**/tools.{yaml,yml,json}',
    '**/*.{tool,tools}.{yaml,yml,json,ts,mts,cts,js,mjs,cjs}',
    '**/.env',
  ].map((pattern) => ({ scheme: 'file', pattern })),
];

const startTimeout = 2000; // ms for a server to start, before another one replaces it

/** Makes the clients, drops a server that has not answered yet, and ends the last one. */
export interface ClientFactory {
  make(): LanguageClient;
  drop(): void;
  end(): Promise<void>;
}

/** Holds the client of the server. Each restart makes another client, because the library's
 * client keeps a failed start, and a server that did not end on request. */
export class RestartableClient {
  private current: LanguageClient;
  private renewed: Promise<void> | undefined; // a restart that is not finished

  /** prepare is called with each new client before it starts. */
  constructor(
    private readonly factory: ClientFactory,
    private readonly prepare: (client: LanguageClient) => void,
  ) {
    this.current = this.made();
  }

  get client(): LanguageClient {
    return this.current;
  }

  /** Stops the server, even if it hangs, and starts the one that the settings name
   * now. If that fails, the client has already shown why. */
  async restart(): Promise<void> {
    this.renewed ??= this.renew().finally(() => (this.renewed = undefined));
    await this.renewed;
    await this.client.start().catch(() => undefined);
  }

  private async renew(): Promise<void> {
    if (this.client.state === State.Starting) {
      const start = this.client.start().catch(() => undefined); // the same start: it shows its error
      const hangs = setTimeout(() => this.factory.drop(), startTimeout);
      await start;
      clearTimeout(hangs);
    }
    await this.client.dispose().catch(() => undefined); // the next start ends a server that did not end by itself
    this.current = this.made();
  }

  /** Stops the server, even if it hangs, so that it never outlives the window. */
  async end(): Promise<void> {
    await this.client.dispose().catch(() => undefined); // it hangs, or has not started
    await this.factory.end();
  }

  private made(): LanguageClient {
    const client = this.factory.make();
    this.prepare(client);
    return client;
  }
}

/** The library's client would show errors of everything that a stop interrupts, with stack
 * traces. This one shows why a start fails. Of a request that the server refuses it shows only
 * the reason, which is written for a person. */
class Client extends LanguageClient {
  /** VS Code shows edits that need confirmation in a preview, and leaves out each one that is not
   * ticked: a moved tool could be removed from its file and added to no other. So all edits are made at once. */
  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    delete params.capabilities.workspace?.workspaceEdit?.changeAnnotationSupport;
  }

  override error(message: string, data?: unknown, show: boolean | 'force' = true): void {
    const refusal = data as { code?: number; message: string } | null | undefined;
    const unsent = refusal?.code === ErrorCodes.MessageWriteError; // the server has ended, which is shown elsewhere
    const shown = show === 'force' ? show : show && this.isRunning() && !unsent;
    if (refusal?.code === LSPErrorCodes.RequestFailed) {
      return super.error(refusal.message, undefined, shown);
    }
    super.error(message, data, shown);
  }
}

/** Returns a factory of clients that restart their server, and say so the first time. */
export function newClientFactory(context: ExtensionContext, channels: Channels, middleware: Middleware): ClientFactory {
  const transport = new Transport(() => serverProgram(context), channels.log);
  const restarter = new Restarter(channels);
  const make = () => {
    const errorHandler: ErrorHandler = {
      error: () => ({ action: ErrorAction.Continue, handled: true }), // the end of the connection explains it
      closed: () => (client.state === State.StartFailed || !transport.running ? { action: CloseAction.DoNotRestart, handled: true } : restarter.closed()),
    };
    const client: LanguageClient = new Client('abl', 'ABL', () => transport.start(), { ...options(context, channels, middleware, transport, () => client), errorHandler });
    return client;
  };
  return { make, drop: () => transport.drop(), end: () => transport.end() };
}

function options(context: ExtensionContext, channels: Channels, middleware: Middleware, transport: Transport, client: () => LanguageClient): LanguageClientOptions {
  return {
    documentSelector: selector,
    outputChannel: channels.log,
    traceOutputChannel: channels.trace,
    initializationOptions: () => ({ ...serverSettings(context), clientCommands }),
    initializationFailedHandler: (error: Error) => {
      error.message = `${transport.started} does not begin as an ABL server does: ${error.message}. The setting abl.server.path can name another one.`;
      return false; // the client shows it
    },
    middleware: {
      ...middleware,
      provideCompletionItem: async (document, position, at, token, next) => suggestValuesNext(showSnippets(suppressWords(await next(document, position, at, token), document, position))),
      provideCodeLenses: async (document, token, next) => (await next(document, token))?.map(withPlainTitle),
      workspace: {
        ...middleware.workspace,
        configuration: (params) => params.items.map((item) => (item.section === 'abl' ? serverSettings(context) : null)),
        handleApplyEdit: applyEdit,
        didChangeConfiguration: () => tellSettings(client(), context),
      },
    },
  };
}

/** Returns a lens without icons in the names that it shows. */
function withPlainTitle(lens: CodeLens): CodeLens {
  if (lens.command) {
    lens.command.title = withoutIcons(lens.command.title);
  }
  return lens;
}

export interface Channels {
  log: LogOutputChannel;
  trace: LogOutputChannel;
}

export async function tellSettings(client: LanguageClient, context: ExtensionContext): Promise<void> {
  if (client.state === State.Running) {
    await client.sendNotification('workspace/didChangeConfiguration', { settings: { abl: serverSettings(context) } });
  }
}

const showLog = 'Show Log';

/** Restarts a server that crashed, unless it crashes too often. */
class Restarter {
  private readonly limit = 5;
  private readonly within = 3 * 60_000;
  private ends: number[] = [];
  private told = false;

  constructor(private readonly channels: Channels) {}

  closed(): { action: CloseAction; handled: true } {
    const now = Date.now();
    this.ends = [...this.ends.filter((end) => now - end < this.within), now];
    if (this.ends.length >= this.limit) {
      void this.giveUp();
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    if (!this.told) {
      this.told = true;
      void this.tell();
    }
    return { action: CloseAction.Restart, handled: true };
  }

  private async tell(): Promise<void> {
    const answer = await showWarning('The ABL server ended by itself and was started again.', showLog);
    if (answer === showLog) {
      this.channels.log.show();
    }
  }

  private async giveUp(): Promise<void> {
    this.ends = [];
    const again = 'Start Again';
    const answer = await showError(`The ABL server ended ${this.limit} times within three minutes and stays off.`, again, showLog);
    if (answer === again) {
      await commands.executeCommand('abl.restart');
    } else if (answer === showLog) {
      this.channels.log.show();
    }
  }
}
