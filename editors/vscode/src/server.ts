// Where the server's program is.
import * as path from 'node:path';
import { workspace, type ExtensionContext } from 'vscode';

/** The program that the settings name, else the one that came with the extension. */
export function program(context: ExtensionContext): string {
  const named = workspace.getConfiguration('abl').get<string>('server.path', '').trim();
  const name = process.platform === 'win32' ? 'abl-lsp.exe' : 'abl-lsp';
  return named || path.join(context.extensionPath, 'server', name);
}
