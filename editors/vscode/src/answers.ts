// Gets each thing that a run needs from its person.
import { ConfigurationTarget, commands, env, Uri, workspace, type CancellationToken } from 'vscode';
import { confirm } from './confirm';
import { errorText } from './errors';
import type { Forms } from './form';
import { ask, showError, showWarning } from './notify';
import type { Envelope, Fault, InputAnswer, InputNeeds, InputRequest, Needs, Permission, RunArgument } from './protocol';
import type { SecretStore } from './secretstore';
import { SessionVariables } from './sessionvariables';
import type { TypingMonitor } from './typing';

/** A run with the answer; undefined if the person gave none; 'none needed' if no one can give one. */
type Answer = RunArgument | 'none needed' | undefined;

type Ask<K extends keyof Needs> = (need: NonNullable<Needs[K]>, argument: RunArgument, command: string, envelope: Envelope, token?: CancellationToken) => Promise<Answer>;

export class Answers {
  private readonly session = new SessionVariables();
  private readonly askers: { [K in keyof Needs]-?: Ask<K> } = {
    trust: () => this.askTrust(),
    arguments: (schema, argument, command, envelope) => this.forms.ask(schema, argument, command, envelope),
    confirmation: (needed, argument, command, envelope) => confirm(needed, argument, command, envelope),
    permission: (permissions, argument, _, envelope) => this.askPermission(permissions, argument, envelope.tool),
    secrets: (names, argument, _, envelope, token) => this.secrets.provide(names, argument, envelope.tool, token),
    browser: (page, argument) => this.askSignIn(page, argument),
    input: (needed, argument, _, envelope) => this.askInput(needed, argument, envelope.error?.hint ?? ''),
  };

  constructor(
    private readonly forms: Forms,
    private readonly secrets: SecretStore,
    private readonly typing: TypingMonitor,
  ) {}

  /** Returns the run with the answer to what it needs; 'no' if the person refused, so that the
   * envelope itself is shown. It stops waiting when the token is cancelled. */
  async answer(envelope: Envelope, argument: RunArgument, command: string, token?: CancellationToken): Promise<Answer | 'no'> {
    const question = this.questionFor(envelope, argument, command, token);
    if (question === undefined) {
      return 'none needed';
    }
    await this.typing.waitForPause();
    return token?.isCancellationRequested ? undefined : Promise.race([question(), whenCancelled(token)]);
  }

  private questionFor(envelope: Envelope, argument: RunArgument, command: string, token?: CancellationToken): (() => Promise<Answer | 'no'>) | undefined {
    for (const [need, asker] of Object.entries(this.askers)) {
      const value = envelope.needs?.[need as keyof Needs];
      if (value) {
        return () => (asker as (value: unknown, ...about: [RunArgument, string, Envelope, CancellationToken?]) => Promise<Answer>)(value, argument, command, envelope, token);
      }
    }
    const { error } = envelope;
    const variable = error?.details?.session;
    if (variable !== undefined && argument.case === undefined && !Object.hasOwn(argument.session ?? {}, variable)) {
      return () => this.session.ask(variable, argument, envelope.tool);
    }
    if (error?.kind === 'arguments' && error.code !== 'template') { // there no argument is wrong
      return () => this.forms.askAgain(envelope, argument, command);
    }
    const host = error?.code === 'private-address' ? error.details?.host : undefined; // other refusals cannot be allowed
    if (error && host && !argument.allowHosts?.includes(host)) {
      return () => this.askHost(host, error, argument, envelope.tool);
    }
    return undefined;
  }

  /** Returns the run with what it needs, if no one must be asked for it. */
  async withoutAsking(envelope: Envelope, argument: RunArgument): Promise<RunArgument | 'none needed'> {
    const names = envelope.needs?.secrets ?? [];
    const given = names.some((name) => !argument.secrets?.[name]) ? await this.secrets.withStored(names, argument) : undefined;
    return given ?? 'none needed';
  }

  /** Asks whether to type the secrets again, if the other side refused a call with them. Returns
   * the run without these secrets, so that it asks for them; undefined if the person does not want that. */
  async askToRetype(envelope: Envelope, argument: RunArgument): Promise<RunArgument | undefined> {
    const refused = refusalReason(envelope, argument);
    if (refused === undefined) {
      return undefined;
    }
    const again = 'Type It Again';
    const answer = await showWarning(`${envelope.tool} ${refused}. Is the secret ${argument.kept?.join(' or ')} wrong?`, again);
    return answer === again ? this.secrets.forgetSecretsOf(argument) : undefined;
  }

  private async askTrust(): Promise<Answer> {
    const manage = 'Manage Trust';
    const why = 'Running a tool sends what this workspace has written. It is not trusted.';
    if ((await showWarning(why, manage)) === manage) {
      await commands.executeCommand('workbench.trust.manage');
    }
    return undefined;
  }

  private async askPermission(permissions: Permission[], argument: RunArgument, tool: string): Promise<Answer> {
    const detail = permissions.map(describePermission).join('\n');
    const allow = 'Allow';
    const answer = await ask(`${tool} asks for leave`, detail, allow);
    return answer === allow ? { ...argument, grant: [...(argument.grant ?? []), ...permissions] } : undefined;
  }

  private async askSignIn(page: string, argument: RunArgument): Promise<Answer> {
    await env.openExternal(Uri.parse(page));
    const done = 'I Have Signed In';
    const answer = await ask('Sign in in your browser, then go on.', '', done);
    return answer === done ? argument : undefined;
  }

  /** Asks what a server wants to know. A form that is closed counts as declined: the server goes on. */
  private async askInput(needed: InputNeeds, argument: RunArgument, error: string): Promise<Answer> {
    const answers: { [id: string]: InputAnswer } = {};
    for (const request of needed.requests) {
      answers[request.id] = request.mode === 'url' ? await askPage(needed.server, request) : await this.forms.question(needed.server, request, argument, error);
    }
    return { ...argument, input: { state: needed.state, answers } };
  }

  /** Asks to allow a host in a private network. If a redirect leads to it, everything is sent again,
   * and must be confirmed again. */
  private async askHost(host: string, { message, details }: Fault, argument: RunArgument, tool: string): Promise<Answer | 'no'> {
    const once = 'Allow This Time';
    const always = 'Always Allow';
    const sent = details?.sent;
    const again = sent ? `To allow ${host} sends the call to ${sent} once more.\n\n` : '';
    const detail = `${message}\n\n${again}Allow ${host} only if you know what answers there.`;
    const answer = await ask(`${tool} wants to reach ${host}`, detail, once, always);
    if (answer === always) {
      await allowAlways(host);
    }
    const { confirm: _, ...rest } = argument;
    return answer ? { ...(sent ? rest : argument), allowHosts: [...(argument.allowHosts ?? []), host] } : 'no';
  }
}

/** Asks to open a page for a server. Only pages of the web are opened. */
async function askPage(server: string, { message, url = '' }: InputRequest): Promise<InputAnswer> {
  const open = 'Open the Page';
  const page = Uri.parse(url);
  const isWeb = ['http', 'https'].includes(page.scheme);
  const answer = isWeb ? await ask(`${server} asks you to open a page of ${page.authority}`, `${message}\n\n${url}`, open) : undefined;
  return { action: answer === open && (await env.openExternal(page)) ? 'accept' : 'decline' };
}

function whenCancelled(token: CancellationToken | undefined): Promise<undefined> {
  return new Promise((resolve) => token?.onCancellationRequested(() => resolve(undefined)));
}

/** Returns how the other side refused a call with typed secrets; undefined if it did not. */
export function refusalReason({ attempts, error }: Envelope, { kept }: RunArgument): string | undefined {
  if (kept && error?.code === 'token-refused') { // the tool itself was not called then
    return [400, 401, 403].includes(error.details?.['status'] as number) ? 'was given no token' : undefined;
  }
  const status = attempts?.at(-1)?.status ?? 0;
  return kept && [401, 403].includes(status) ? `was answered ${status}` : undefined;
}

/** Writes the host into the settings. If they cannot be written, it is allowed only for this run. */
async function allowAlways(host: string): Promise<void> {
  const settings = workspace.getConfiguration('abl');
  const hosts = settings.get<string[]>('allowHosts', []);
  try {
    await settings.update('allowHosts', [...new Set([...hosts, host])], ConfigurationTarget.Global);
  } catch (error) {
    void showError(`${host} is not remembered: ${errorText(error)}`);
  }
}

function describePermission(p: Permission): string {
  const [name, host] = p.resource.split(' ');
  return p.kind === 'secret' && p.op === 'send' ? `Send the secret ${name} to ${host}` : `${p.op} ${p.kind}: ${p.resource}`;
}
