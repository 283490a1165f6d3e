// Stores what was typed into forms, in one file for each tool. VS Code's own storage for a
// folder is written as a whole: two windows would overwrite each other's changes.
import { createHash } from 'node:crypto';
import { Uri, workspace, type ExtensionContext } from 'vscode';
import type { Json } from './protocol';

export type Values = { [name: string]: Json };

export class ArgumentStore {
  constructor(private readonly context: ExtensionContext) {}

  async load(tool: string): Promise<Values> {
    try {
      return JSON.parse(Buffer.from(await workspace.fs.readFile(this.file(tool))).toString()) as Values;
    } catch {
      return {}; // nothing was typed yet
    }
  }

  /** Saves the values, if possible: a run does not depend on it. */
  async save(tool: string, values: Values): Promise<void> {
    await workspace.fs.writeFile(this.file(tool), Buffer.from(JSON.stringify(values))).then(undefined, () => undefined);
  }

  /** Deletes all values, also those of other windows on the same workspace. */
  async clear(): Promise<void> {
    await workspace.fs.delete(this.folder(), { recursive: true }).then(undefined, () => undefined); // nothing was typed yet
  }

  private file(tool: string): Uri {
    return Uri.joinPath(this.folder(), `${createHash('sha256').update(tool).digest('hex')}.json`);
  }

  private folder(): Uri {
    const { storageUri, globalStorageUri } = this.context;
    return Uri.joinPath(storageUri ?? globalStorageUri, 'arguments');
  }
}
