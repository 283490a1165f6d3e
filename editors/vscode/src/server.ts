// Where the server's program is.
import { homedir } from 'node:os';
import * as path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { setting } from './settings';

/** The program that the settings name, else the one that came with the extension. */
export function program(context: ExtensionContext): string {
  const named = setting<string>(context, 'abl.server.path').trim();
  const name = process.platform === 'win32' ? 'abl-lsp.exe' : 'abl-lsp';
  return named ? placed(named) : path.join(context.extensionPath, 'server', name);
}

/** A path is below the home folder where it is not absolute: else it could lead into
 * the folder that is opened. A name alone is looked for on the PATH. */
function placed(named: string): string {
  return path.basename(named) === named ? named : path.resolve(homedir(), named.replace(/^~(?=[\\/])/, '.'));
}
