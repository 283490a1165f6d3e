// The form for a tool's arguments, made from their JSON Schema. It remembers what was typed
// the last time.
import { window, type ExtensionContext, type ViewColumn, type WebviewPanel } from 'vscode';
import type { ActiveFile } from './activefile';
import { ArgumentStore, type Values } from './argumentstore';
import { errorText } from './errors';
import type { FormAnswer, FormContent, FormMessage, RunLocation } from './messages';
import { newPanel } from './panel';
import { previewText } from './previewtext';
import type { Envelope, InputAnswer, InputRequest, Json, RunArgument, Schema, Tool } from './protocol';
import { withoutSecrets } from './secretarguments';
import { versionedName } from './tools';
import type { TypingMonitor } from './typing';

/** An open form. */
interface OpenForm {
  panel: WebviewPanel;
  call: RunArgument;
  content: FormContent;
  asked: (name: string) => boolean; // whether the form asks for an argument
  typed: Values | undefined; // if something was typed
  json: boolean; // it was typed as JSON
  previews: number; // that were asked for; the last one is shown
}

/** What was submitted. */
interface Submitted {
  args: Values;
  json: boolean;
}

/** What a form must know about a call. */
interface FormContext {
  tool(argument: RunArgument): Promise<Tool | undefined>;
  whole(argument: RunArgument): Promise<RunArgument>; // with the values of its saved case
  where(argument: RunArgument): Promise<RunLocation>;
  preview(argument: RunArgument): Promise<Envelope>;
  pick(name: string): Promise<Json | undefined>; // a part of an earlier result, which the person chooses
}

export class Forms {
  private readonly open = new Map<string, OpenForm>(); // the last form of each tool
  private readonly waiting = new Set<OpenForm>(); // all open forms
  private readonly asJSON = new Map<string, boolean>(); // whether the arguments of a tool were last submitted as JSON
  private readonly memory: ArgumentStore;

  constructor(
    private readonly context: ExtensionContext,
    private readonly known: FormContext,
    private readonly front: ActiveFile,
    private readonly typing: TypingMonitor,
  ) {
    this.memory = new ArgumentStore(context);
  }

  /** Returns the run with what was typed, undefined if the form was closed. It does not ask for
   * arguments that the run has. If the run has all of them, the tool needs other values. */
  async ask(schema: Schema, argument: RunArgument, command: string, envelope: Envelope): Promise<RunArgument | 'none needed' | undefined> {
    const given = Object.keys((await this.known.whole(argument)).args ?? {});
    if ((schema.required ?? []).every((name) => given.includes(name))) {
      return this.askAgain(envelope, argument, command);
    }
    return this.fill(schema, (name) => !given.includes(name), argument, await this.memory.load(toolKey(argument)), command);
  }

  /** Asks the question of a server while its tool runs. */
  async question(server: string, { message, schema = {} }: InputRequest, argument: RunArgument, error: string): Promise<InputAnswer> {
    const needed = (name: string) => (schema.required ?? []).includes(name);
    const submitted = await this.openForm(argument, {
      tool: server,
      description: message,
      schema: subschema(schema, needed),
      more: subschema(schema, (name) => !needed(name)),
      values: defaultsOf(schema),
      error,
      doing: 'Answer',
      typed: false,
      json: false,
      question: true,
    }, () => true, undefined);
    return submitted ? { action: 'accept', content: submitted.args } : { action: 'decline' };
  }

  /** Lets the person change all arguments of the run. */
  edit(schema: Schema, argument: RunArgument, error = '', command = ''): Promise<RunArgument | undefined> {
    return this.fill(schema, () => true, argument, argument.args ?? {}, command, error);
  }

  /** Reports whether the active panel of a column is a form. */
  hasActiveForm(column: ViewColumn | undefined): boolean {
    return [...this.waiting].some(({ panel }) => panel.active && panel.viewColumn === column);
  }

  /** Makes the open forms show again where they run. */
  async refresh(): Promise<void> {
    await Promise.all([...this.waiting].map((open) => this.showLocation(open)));
  }

  /** Forgets everything that was typed. */
  forget(): Promise<void> {
    return this.memory.clear();
  }

  private async fill(schema: Schema, asked: (name: string) => boolean, argument: RunArgument, values: Values, command: string, error = ''): Promise<RunArgument | undefined> {
    const tool = await this.known.tool(argument);
    const needed = (name: string) => (schema.required ?? []).includes(name);
    const key = toolKey(argument);
    const hasNoField = (name: string) => asked(name) && !Object.hasOwn(schema.properties ?? {}, name); // only JSON shows it
    const submitted = await this.show(argument, {
      tool: argument.tool,
      description: tool?.description ?? '',
      schema: subschema(schema, (name) => asked(name) && needed(name)),
      more: subschema(schema, (name) => asked(name) && !needed(name)),
      values: notShown(values, (name) => !asked(name)),
      error,
      doing: command === 'abl.preview' ? 'Preview' : 'Run',
      typed: false,
      json: this.asJSON.get(key) === true || Object.keys(argument.args ?? {}).some(hasNoField),
    }, asked, argument.args !== values);
    if (submitted === undefined) {
      return undefined;
    }
    const { args, json } = submitted;
    this.asJSON.set(key, json);
    const shown = (name: string) => asked(name) && (json || !hasNoField(name));
    const kept = { ...notShown(await this.memory.load(key), shown), ...args };
    await this.memory.save(key, withoutSecrets(withoutSecrets(kept, schema), tool?.parameters ?? schema)); // the first schema may come from a file
    return { ...argument, args: { ...notShown(argument.args ?? {}, asked), ...args } };
  }

  /** Asks again for arguments that the server has refused. */
  async askAgain(envelope: Envelope, argument: RunArgument, command: string): Promise<RunArgument | 'none needed' | undefined> {
    const tool = argument.case === undefined ? await this.known.tool(argument) : undefined;
    if (tool === undefined || Object.keys(tool.parameters.properties ?? {}).length === 0) {
      return 'none needed';
    }
    return this.edit(tool.parameters, argument, envelope.error?.message, command);
  }

  /** Shows one form for a tool. Forms of other tools stay open with their content. So does a form
   * with typed values for another call; for the same call its values are taken over. */
  private async show(call: RunArgument, content: FormContent, asked: OpenForm['asked'], same: boolean): Promise<Submitted | undefined> {
    const open = this.open.get(toolKey(call));
    if (open?.call.environment === call.environment && JSON.stringify(open?.content) === JSON.stringify(content)) {
      open?.panel.reveal(); // the same form is already open, and may have typed values
      return undefined;
    }
    const typed = same ? open?.typed : undefined;
    if (typed !== undefined || open?.typed === undefined) {
      open?.panel.dispose();
    }
    const json = content.json || (typed !== undefined && open?.json === true);
    return this.openForm(call, { ...content, json }, asked, typed && { ...notShown(content.values, (name) => json || hasField(open?.content, name)), ...typed });
  }

  /** Opens a form, and returns what is submitted; undefined if it was closed. */
  private openForm(call: RunArgument, content: FormContent, asked: OpenForm['asked'], typed: Values | undefined): Promise<Submitted | undefined> {
    const tool = toolKey(call);
    const from = window.activeTextEditor;
    const panel = newPanel(this.context, 'form', `${content.doing} ${content.tool}`);
    const open: OpenForm = { panel, call, content, asked, typed, json: content.json, previews: 0 };
    this.open.set(tool, open);
    this.waiting.add(open);
    this.front.followPanel(panel, () => call.uri);
    return new Promise((resolve) => {
      const close = (submitted?: Submitted) => {
        this.typing.reset();
        const back = panel.active && from?.document.isClosed === false;
        resolve(submitted);
        panel.dispose();
        if (back) {
          void window.showTextDocument(from.document, from.viewColumn); // otherwise the focus stays where the form was
        }
      };
      panel.webview.onDidReceiveMessage((said: FormAnswer) => {
        switch (said.type) {
          case 'ready':
            void panel.webview.postMessage(typed ? { ...content, values: typed, typed: true } : content);
            void this.showLocation(open);
            return;
          case 'typed':
            [open.typed, open.json] = [said.args, said.json];
            this.typing.recordKey();
            return;
          case 'submit':
            void this.submit(open, said, close);
            return;
          case 'preview':
            void this.showPreview(open, said.args);
            return;
          case 'pick':
            void this.pick(open, said.name);
            return;
          case 'cancel':
            close();
        }
      });
      panel.onDidDispose(() => {
        this.waiting.delete(open);
        if (this.open.get(tool) === open) {
          this.open.delete(tool);
        }
        resolve(undefined);
      });
    });
  }

  /** Submits the form, but keeps it open if its tool no longer exists: the typed values would be lost. */
  private async submit(open: OpenForm, { args, json }: Submitted, close: (submitted: Submitted) => void): Promise<void> {
    const { panel, call, content } = open;
    const error = await this.unavailableReason(call).catch(errorText);
    if (!this.waiting.has(open)) {
      return; // submitted twice, or closed
    }
    if (error === '') {
      return close({ args, json });
    }
    void panel.webview.postMessage({ ...content, values: args, json, typed: true, error });
    void this.showLocation(open);
  }

  /** Returns why a tool cannot be called, '' if it can. */
  private async unavailableReason(call: RunArgument): Promise<string> {
    const there = call.case !== undefined || (await this.known.tool(call)) !== undefined;
    return there ? '' : `${versionedName(call)} is not in its file any more. If it has another name now, run it by that one; what you typed stays here.`;
  }

  /** Makes a form show what its call would send with these arguments. Errors are shown quietly: nothing was submitted. */
  private async showPreview(open: OpenForm, args: Values): Promise<void> {
    const nth = ++open.previews;
    const call = { ...open.call, args: { ...notShown(open.call.args ?? {}, open.asked), ...args } };
    const envelope = await this.known.preview(call).catch(() => undefined); // there is no server to ask
    if (envelope && nth === open.previews && this.waiting.has(open)) {
      const preview = envelope.ok ? previewText(envelope.value) : '';
      void open.panel.webview.postMessage({ preview, reason: envelope.error?.message ?? '' } satisfies FormMessage);
    }
  }

  /** Lets the person take an argument from an earlier result. */
  private async pick(open: OpenForm, name: string): Promise<void> {
    const value = await this.known.pick(name);
    if (value !== undefined && this.waiting.has(open)) {
      open.panel.reveal();
      void open.panel.webview.postMessage({ picked: name, value } satisfies FormMessage);
    }
  }

  /** Makes a form show where its call runs. */
  private async showLocation(open: OpenForm): Promise<void> {
    const where = await this.known.whole(open.call).then((call) => this.known.where(call)).catch(() => undefined); // there is no server to ask
    if (where && this.waiting.has(open)) {
      void open.panel.webview.postMessage({ where });
    }
  }
}

/** Returns the key under which the values of a tool are remembered. */
function toolKey(argument: RunArgument): string {
  return `${argument.uri}#${versionedName(argument)}`;
}

/** Reports whether a form has a field with this name. */
function hasField(content: FormContent | undefined, name: string): boolean {
  return [content?.schema, content?.more].some((schema) => Object.hasOwn(schema?.properties ?? {}, name));
}

/** Returns the values that the form did not show. */
function notShown(values: Values, shown: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !shown(name)));
}

/** Returns the values that a form offers. */
function defaultsOf({ properties = {} }: Schema): Values {
  return Object.fromEntries(Object.entries(properties).flatMap(([name, property]) => (property.default === undefined ? [] : [[name, property.default]])));
}

/** Returns the schema of some of the parameters. */
function subschema(schema: Schema, of: (name: string) => boolean): Schema {
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => of(name))) };
}
