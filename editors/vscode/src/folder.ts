// The folder of the workspace that something belongs to: what a person chooses and
// types for one holds there alone, since another may mean something else by a name.
import { Uri, workspace } from 'vscode';

/** The URI of a file's folder, that of the first one for a file in none; '' where there is no folder. */
export function folderOf(file?: string): string {
  const folder = file === undefined ? undefined : workspace.getWorkspaceFolder(Uri.parse(file));
  return (folder ?? workspace.workspaceFolders?.[0])?.uri.toString() ?? '';
}

/** All of them, in the same words. */
export function folders(): string[] {
  const all = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  return all.length > 0 ? all : [folderOf()];
}

/** Its name where there are several, '' where nobody asks which. */
export function nameOf(folder: string): string {
  const all = workspace.workspaceFolders ?? [];
  return all.length > 1 ? (all.find(({ uri }) => uri.toString() === folder)?.name ?? '') : '';
}
