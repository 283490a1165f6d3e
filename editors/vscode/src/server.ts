// Finds the server's program, and makes terminals find it.
import { homedir } from 'node:os';
import * as path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { setting } from './settings';

/** Returns the program that the settings name, else the one in the extension. */
export function serverProgram(context: ExtensionContext): string {
  const named = setting<string>(context, 'abl.server.path').trim();
  const name = process.platform === 'win32' ? 'abl-lsp.exe' : 'abl-lsp';
  return named ? resolveProgram(named) : path.join(bundledFolder(context), name);
}

/** Lets VS Code's terminals find the program in the extension, after everything else on the PATH:
 * copied commands work there, and nothing else must be installed. */
export function addToTerminals(context: ExtensionContext): void {
  const variables = context.environmentVariableCollection;
  variables.description = 'The program abl-lsp, for the lines that are copied from results';
  variables.append('PATH', path.delimiter + bundledFolder(context));
}

function bundledFolder(context: ExtensionContext): string {
  return path.join(context.extensionPath, 'server');
}

/** Returns the path of a program. A relative path begins in the home folder, because otherwise it could
 * lead into the opened folder. A name alone is looked up on the PATH. */
function resolveProgram(named: string): string {
  return path.basename(named) === named ? named : path.resolve(homedir(), named.replace(/^~(?=[\\/])/, '.'));
}
