// The extension: starts the server, and connects its commands to VS Code.
import { commands, env, Range, Uri, ViewColumn, window, workspace, type Disposable, type EnvironmentVariableCollection, type ExtensionContext } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { ActiveFile } from './activefile';
import { Answers } from './answers';
import { Cases } from './cases';
import { newChannels } from './channels';
import { offerTools, type Provider } from './chat';
import { newClientFactory, RestartableClient, tellSettings } from './client';
import { lensCommands, serverCommands } from './commands';
import { startWhenNeeded } from './dormant';
import { Environments } from './environment';
import { registerCommand } from './errors';
import { exportTools } from './export';
import { Forms } from './form';
import { callOf, History } from './history';
import { historyCommands } from './historycommands';
import { indentOpenEditors } from './indent';
import { newFileCommands } from './newfile';
import { ask, showInfo } from './notify';
import { pickValue } from './pickvalue';
import type { Case, Envelope, Fault, HistoryEntry, RunArgument } from './protocol';
import { inEarlierEnvironment } from './repeat';
import { Results, showCopied } from './result';
import { Runs, withoutAnswers } from './run';
import { saveBytes } from './save';
import { CaseSaver } from './savecase';
import { SecretStore } from './secretstore';
import { addToTerminals } from './server';
import { ServerStatus } from './serverstatus';
import { askTool, findTool, versionedName } from './tools';
import { TypingMonitor } from './typing';
import { unsavedNote } from './unsaved';
import { shareAgents } from './yamlextension';

let session: RestartableClient | undefined;

/** Runs a tool, or one of its saved cases. */
type Run = (argument: RunArgument) => Promise<Envelope | undefined>;

/** What the extension's tests may use. */
export interface Api {
  readonly results: Results;
  readonly runs: Runs;
  readonly cases: Cases;
  readonly saver: CaseSaver;
  readonly chat: Provider | undefined; // undefined if this VS Code supports no tools
  readonly terminals: EnvironmentVariableCollection;
}

export function activate(context: ExtensionContext): Promise<Api | undefined> {
  return startWhenNeeded(context, () => start(context));
}

async function start(context: ExtensionContext): Promise<Api> {
  const channels = newChannels(context);
  const secrets = new SecretStore(context);
  const front = new ActiveFile(context);
  const typing = new TypingMonitor(context);
  const results = new Results(context, () => doer, (column) => forms.hasActiveForm(column), front);
  const forms: Forms = new Forms(context, {
    tool: (argument) => findTool(runs, argument),
    whole: (argument) => withCaseValues(runs, argument),
    where: (argument) => environments.locationOf(argument),
    preview: (argument) => runs.ask<Envelope>('abl.preview', argument),
    pick: (name) => pickValue(name, results.recent),
  }, front, typing);
  const answers = new Answers(forms, secrets, typing);
  const runs: Runs = new Runs(() => started.client, answers, results);
  const cases: Cases = new Cases(() => started.client, runs, answers, results);
  const run = (argument: RunArgument) => (argument.case === undefined ? runs.run(argument) : cases.runOnly(argument));
  const saver = new CaseSaver(context, runs);
  const doer = resultActions(runs, run, forms, saver);
  const states = new ServerStatus(context);
  const tell = () => tellSettings(started.client, context);
  const environments: Environments = new Environments(context, runs, front, tell);
  const started: RestartableClient = new RestartableClient(newClientFactory(context, channels, { ...runMiddleware(runs, run), ...combineMiddleware(environments, cases) }), (client) => {
    states.follow(client);
    client.onNotification('abl/runOutput', (said: { token: string; chunk: string }) => runs.output(said));
  });
  session = started;
  const history = new History(runs);

  context.subscriptions.push(
    ...lensCommands(() => started.client),
    ...serverCommands(started, () => channels.log.show(), context.extension.packageJSON.version),
    ...newFileCommands(front),
    ...runCommands(runs, front),
    registerCommand('abl.forgetSecrets', () => forgetTyped(secrets, forms)),
    ...historyCommands(context, history, runs, results, (entry) => runPast(runs, forms, entry)),
    environments.onDidShow(() => forms.refresh()),
    registerCommand('abl.selectEnvironment', () => environments.select()),
    workspace.onDidGrantWorkspaceTrust(() => tell().then(() => cases.find())), // now a linked file outside of the folder is read
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('abl.server.path')) {
        void started.restart();
      }
    }),
  );
  indentOpenEditors();
  addToTerminals(context);
  const chat = offerTools(context, environments.onDidChange);
  context.subscriptions.push(...cases.watch(), shareAgents(() => started.client.isRunning()));
  states.onRunning(() => { // requests before it ran had no answer
    void cases.find();
    void environments.refresh();
    history.refresh(); // its view may have been visible before
  });
  await started.client.start().catch(() => undefined); // the client shows why, and abl.restart tries again
  return { results, runs, cases, saver, chat, terminals: context.environmentVariableCollection };
}

export async function deactivate(): Promise<void> {
  await session?.end();
}

/** Combines the middleware of both, so that both see every change. */
function combineMiddleware(environments: Environments, cases: Cases): Middleware {
  const [of, beside] = [environments.middleware(), cases.middleware()];
  return { ...of, ...beside, didChange: (event, next) => of.didChange(event, (same) => beside.didChange(same, next)) };
}

/** Executes those commands of the server that run something: the client registers all of them. */
function runMiddleware(runs: Runs, run: Run): Middleware {
  const own: { [command: string]: (argument: RunArgument) => Promise<unknown> } = {
    'abl.run': run,
    'abl.preview': (argument) => runs.preview(argument),
    'abl.revert': (argument) => runs.revert((argument as unknown as { run: string } | undefined)?.run),
  };
  return {
    executeCommand: (command, args, next) => own[command]?.(args[0] as RunArgument) ?? next(command, args),
  };
}

function runCommands(runs: Runs, front: ActiveFile): Disposable[] {
  return [
    commands.registerCommand('abl.ask', (command: string, argument: object) => runs.ask(command, argument)),
    registerCommand('abl.runTool', () => runChosenTool(runs, front, (argument) => runs.run(argument))),
    registerCommand('abl.previewTool', () => runChosenTool(runs, front, (argument) => runs.preview(argument))),
    registerCommand('abl.undoRun', () => runs.revert()),
    registerCommand('abl.exportTools', () => exportTools(runs, front)),
  ];
}

/** Forgets what a person has typed: an argument can be as private as a secret. */
async function forgetTyped(secrets: SecretStore, forms: Forms): Promise<void> {
  const yes = 'Forget Them';
  const detail = 'Tools ask for them again. Where a secret was allowed to go, it may still go.';
  if ((await ask('Forget the secrets and the arguments that you typed for this workspace?', detail, yes)) !== yes) {
    return;
  }
  await secrets.forgetAll();
  await forms.forget();
  void showInfo('The secrets and the arguments that you typed for this workspace are forgotten.');
}

/** Repeats the call of a past run, and asks for the arguments that were not kept. */
async function runPast(runs: Runs, forms: Forms, entry: HistoryEntry): Promise<unknown> {
  const call = await inEarlierEnvironment(runs, callOf(entry), entry.environment);
  if (call === undefined || !entry.unrepeatable) {
    return call && runs.run({ ...call, fresh: true });
  }
  const tool = await findTool(runs, call);
  const asked = tool && (await forms.edit(tool.parameters, call, `${entry.tool} is not run again as it was: ${entry.unrepeatable}. Say what it shall get.`));
  return asked && runs.run(asked);
}

async function runChosenTool(runs: Runs, front: ActiveFile, act: (argument: RunArgument) => Promise<Envelope | undefined>): Promise<Envelope | undefined> {
  const argument = await askTool(runs, front);
  return argument && act(argument);
}

function resultActions(runs: Runs, run: Run, forms: Forms, saver: CaseSaver) {
  const repeated = (argument: RunArgument, { environment, request }: Envelope) =>
    inEarlierEnvironment(runs, argument, environment ?? (request ? '' : undefined)); // if the run did not get that far, in no environment
  const copy = async (argument: RunArgument, { environment }: Envelope, as: string) => {
    const { text } = await runs.ask<{ text: string }>('abl.copy', { ...argument, ...(environment ? { environment } : {}), as });
    await env.clipboard.writeText(text);
    showCopied(as === 'curl' ? 'a line for curl' : `a line for the terminal${unsavedNote()}`);
  };
  return {
    again: async (argument: RunArgument, envelope: Envelope) => {
      const call = await repeated(withoutAnswers(argument), envelope);
      return call && run({ ...call, fresh: true });
    },
    edit: async (argument: RunArgument, envelope: Envelope) => {
      const tool = await findTool(runs, argument);
      if (tool === undefined) {
        throw new Error('its file has no such tool any more');
      }
      const call = await repeated(await withCaseValues(runs, withoutAnswers(argument)), envelope);
      const edited = call && (await forms.edit(tool.parameters, call));
      return edited && runs.run(edited);
    },
    curl: (argument: RunArgument, envelope: Envelope) => copy(argument, envelope, 'curl'),
    command: (argument: RunArgument, envelope: Envelope) => copy(argument, envelope, 'command'),
    case: async (argument: RunArgument, envelope: Envelope) => saver.save(await withCaseValues(runs, withoutAnswers(argument)), envelope),
    save: (_: RunArgument, envelope: Envelope) => saveBytes(envelope),
    revert: (_: RunArgument, envelope: Envelope) => runs.revert(envelope.run),
    openResource: (argument: RunArgument, uri: string) => runs.run({ ...withoutAnswers(argument), resource: uri }, 'abl.readResource'),
    failure: (_: RunArgument, { error }: Envelope) => showFailure(error?.details ?? {}),
  };
}

/** Shows the line of the code that failed. */
async function showFailure({ file, line }: NonNullable<Fault['details']>): Promise<void> {
  if (file !== undefined && line !== undefined) {
    const at = file.startsWith('untitled:') ? Uri.parse(file) : Uri.file(file);
    await window.showTextDocument(at, { viewColumn: ViewColumn.One, selection: new Range(line - 1, 0, line - 1, 0) });
  }
}

/** Returns a call with the values of its saved case, so that they can be changed. */
async function withCaseValues(runs: Runs, argument: RunArgument): Promise<RunArgument> {
  const { case: name, ...rest } = argument;
  const all = name === undefined ? [] : await runs.ask<Case[]>('abl.cases', { uri: argument.uri });
  const found = all.find((one) => one.tool === versionedName(argument) && one.name === name);
  if (!found) {
    return argument;
  }
  return {
    ...(found.environment ? { environment: found.environment } : {}),
    ...(found.session ? { session: found.session } : {}),
    ...rest,
    args: { ...found.args, ...argument.args },
  };
}
