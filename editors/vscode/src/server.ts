// Where the server's program is, and that terminals find it.
import { homedir } from 'node:os';
import * as path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { setting } from './settings';

/** The program that the settings name, else the one that came with the extension. */
export function program(context: ExtensionContext): string {
  const named = setting<string>(context, 'abl.server.path').trim();
  const name = process.platform === 'win32' ? 'abl-lsp.exe' : 'abl-lsp';
  return named ? placed(named) : path.join(inside(context), name);
}

/** Lets VS Code's terminals find the program that came with the extension, behind all that is on
 * the PATH: what is copied as a command is pasted there, and nothing else need be installed. */
export function forTerminals(context: ExtensionContext): void {
  const variables = context.environmentVariableCollection;
  variables.description = 'The program abl-lsp, for the lines that are copied from results';
  variables.append('PATH', path.delimiter + inside(context));
}

function inside(context: ExtensionContext): string {
  return path.join(context.extensionPath, 'server');
}

/** A path is below the home folder where it is not absolute: else it could lead into
 * the folder that is opened. A name alone is looked for on the PATH. */
function placed(named: string): string {
  return path.basename(named) === named ? named : path.resolve(homedir(), named.replace(/^~(?=[\\/])/, '.'));
}
