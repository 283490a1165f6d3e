// Session variables that a tool reads. On the platform a conversation has them; here a person
// gives them.
import { window } from 'vscode';
import { ownerOf } from './folder';
import type { RunArgument } from './protocol';

export class SessionVariables {
  private readonly given = new Map<string, string>(); // for each owner, until the window closes

  /** Returns the run with one more variable; undefined if the person does not give it. */
  async ask(name: string, argument: RunArgument, tool: string): Promise<RunArgument | undefined> {
    const key = `${await ownerOf(argument.uri ?? '')}#${name}`; // undoing a run has no file
    const value = await window.showInputBox({
      title: `${tool} reads the session variable ${name}`,
      prompt: 'Its value for this run, as the conversation would have it.',
      value: this.given.get(key) ?? '',
      ignoreFocusOut: true,
    });
    if (value === undefined) {
      return undefined;
    }
    this.given.set(key, value);
    return { ...argument, session: { ...argument.session, [name]: value } };
  }
}
