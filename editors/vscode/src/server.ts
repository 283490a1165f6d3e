// Where the server's program is, and that terminals find it.
import { homedir } from 'node:os';
import * as path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { setting } from './settings';

/** The program that the settings name, else the one that came with the extension. */
export function serverProgram(context: ExtensionContext): string {
  const named = setting<string>(context, 'abl.server.path').trim();
  const name = process.platform === 'win32' ? 'abl-lsp.exe' : 'abl-lsp';
  return named ? resolveProgram(named) : path.join(bundledFolder(context), name);
}

/** Lets VS Code's terminals find the program that came with the extension, behind all that is on
 * the PATH: what is copied as a command is pasted there, and nothing else need be installed. */
export function addToTerminals(context: ExtensionContext): void {
  const variables = context.environmentVariableCollection;
  variables.description = 'The program abl-lsp, for the lines that are copied from results';
  variables.append('PATH', path.delimiter + bundledFolder(context));
}

function bundledFolder(context: ExtensionContext): string {
  return path.join(context.extensionPath, 'server');
}

/** A path is below the home folder where it is not absolute: else it could lead into
 * the folder that is opened. A name alone is looked for on the PATH. */
function resolveProgram(named: string): string {
  return path.basename(named) === named ? named : path.resolve(homedir(), named.replace(/^~(?=[\\/])/, '.'));
}
