// The form of a tool's arguments, made of their JSON Schema. It knows what was
// typed the last time.
import type { ExtensionContext, WebviewPanel } from 'vscode';
import { newPanel } from './page';
import type { Envelope, Json, RunArgument, Schema, Tool } from './protocol';
import type { FormAnswer, FormContent } from './views';

export class Forms {
  private open: WebviewPanel | undefined;

  constructor(
    private readonly context: ExtensionContext,
    private readonly toolOf: (argument: RunArgument) => Promise<Tool | undefined>,
  ) {}

  /** The run with what was typed, undefined where the form was closed. What the run has is not asked for. */
  ask(schema: Schema, argument: RunArgument): Promise<RunArgument | undefined> {
    return this.fill(schema, argument, Object.keys(argument.args ?? {}));
  }

  /** Lets the person change all that the run has. */
  edit(schema: Schema, argument: RunArgument, error = ''): Promise<RunArgument | undefined> {
    return this.fill(schema, argument, [], error);
  }

  private async fill(schema: Schema, argument: RunArgument, given: string[], error = ''): Promise<RunArgument | undefined> {
    const tool = await this.toolOf(argument);
    const needed = (name: string) => (schema.required ?? []).includes(name);
    const content: FormContent = {
      tool: argument.tool,
      description: tool?.description ?? '',
      schema: part(schema, (name) => needed(name) && !given.includes(name)),
      more: part(schema, (name) => !needed(name) && !given.includes(name)),
      values: { ...this.remembered(argument), ...argument.args },
      error,
    };
    const args = await this.show(content);
    if (args === undefined) {
      return undefined;
    }
    await this.remember(argument, args);
    const kept = Object.entries(argument.args ?? {}).filter(([name]) => given.includes(name));
    return { ...argument, args: { ...Object.fromEntries(kept), ...args } };
  }

  /** Asks again for arguments that the server has refused. */
  async mend(envelope: Envelope, argument: RunArgument): Promise<RunArgument | 'none needed' | undefined> {
    const tool = argument.case === undefined ? await this.toolOf(argument) : undefined;
    if (tool === undefined || Object.keys(tool.parameters.properties ?? {}).length === 0) {
      return 'none needed';
    }
    return this.edit(tool.parameters, argument, envelope.error?.message);
  }

  private show(content: FormContent): Promise<{ [name: string]: Json } | undefined> {
    this.open?.dispose(); // one form at a time
    const panel = newPanel(this.context, 'form', `Run ${content.tool}`);
    this.open = panel;
    return new Promise((resolve) => {
      panel.webview.onDidReceiveMessage((said: FormAnswer) => {
        if (said.type === 'ready') {
          void panel.webview.postMessage(content);
          return;
        }
        resolve(said.type === 'submit' ? said.args : undefined);
        panel.dispose();
      });
      panel.onDidDispose(() => {
        this.open = this.open === panel ? undefined : this.open;
        resolve(undefined);
      });
    });
  }

  private remembered(argument: RunArgument): { [name: string]: Json } {
    return this.context.workspaceState.get(key(argument), {});
  }

  private remember(argument: RunArgument, args: { [name: string]: Json }): Thenable<void> {
    return this.context.workspaceState.update(key(argument), args);
  }
}

function key(argument: RunArgument): string {
  return `arguments ${argument.uri}#${argument.tool}`;
}

/** The schema of some of the parameters. */
function part(schema: Schema, of: (name: string) => boolean): Schema {
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => of(name))) };
}
