// The form of a tool's arguments, made of their JSON Schema. It knows what was
// typed the last time.
import type { ExtensionContext } from 'vscode';
import { newPanel } from './page';
import type { Envelope, Json, RunArgument, Schema, Tool } from './protocol';
import type { FormAnswer, FormContent } from './views';

export class Forms {
  constructor(
    private readonly context: ExtensionContext,
    private readonly toolOf: (argument: RunArgument) => Promise<Tool | undefined>,
  ) {}

  /** The run with what was typed, undefined where the form was closed. */
  async ask(schema: Schema, argument: RunArgument, error = ''): Promise<RunArgument | undefined> {
    const tool = await this.toolOf(argument);
    const content: FormContent = {
      tool: argument.tool,
      description: tool?.description ?? '',
      schema,
      more: argument.case === undefined ? without(tool?.parameters ?? {}, schema, argument) : {},
      values: { ...this.remembered(argument), ...argument.args },
      error,
    };
    const args = await this.show(content);
    if (args === undefined) {
      return undefined;
    }
    await this.remember(argument, args);
    return { ...argument, args: { ...argument.args, ...args } };
  }

  /** Asks again for arguments that the server has refused. */
  async mend(envelope: Envelope, argument: RunArgument): Promise<RunArgument | 'none needed' | undefined> {
    const tool = argument.case === undefined ? await this.toolOf(argument) : undefined;
    if (tool === undefined || Object.keys(tool.parameters.properties ?? {}).length === 0) {
      return 'none needed';
    }
    return this.ask(tool.parameters, argument, envelope.error?.message);
  }

  private show(content: FormContent): Promise<{ [name: string]: Json } | undefined> {
    const panel = newPanel(this.context, 'form', `Run ${content.tool}`);
    return new Promise((resolve) => {
      panel.webview.onDidReceiveMessage((said: FormAnswer) => {
        if (said.type === 'ready') {
          void panel.webview.postMessage(content);
          return;
        }
        resolve(said.type === 'submit' ? said.args : undefined);
        panel.dispose();
      });
      panel.onDidDispose(() => resolve(undefined));
    });
  }

  private remembered(argument: RunArgument): { [name: string]: Json } {
    return this.context.workspaceState.get(key(argument), {});
  }

  private remember(argument: RunArgument, args: { [name: string]: Json }): Thenable<void> {
    return this.context.workspaceState.update(key(argument), { ...this.remembered(argument), ...args });
  }
}

function key(argument: RunArgument): string {
  return `arguments ${argument.uri}#${argument.tool}`;
}

/** The parameters that are neither asked for nor given. */
function without(all: Schema, asked: Schema, argument: RunArgument): Schema {
  const given = { ...asked.properties, ...argument.args };
  const rest = Object.entries(all.properties ?? {}).filter(([name]) => !(name in given));
  return { type: 'object', properties: Object.fromEntries(rest) };
}
