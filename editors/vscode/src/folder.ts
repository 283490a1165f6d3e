// The folder of the workspace that something belongs to: what a person chooses and
// types for one holds there alone, since another may mean something else by a name.
import { FileType, Uri, workspace } from 'vscode';

/** The URI of a file's folder, that of the first one for a file in none; '' where there is no folder. */
export function folderOf(file?: string): string {
  return (file === undefined ? undefined : folderAround(Uri.parse(file))) ?? workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
}

/** Whose the secrets are that a file's tools use: its folder's, and its project's where it
 * lies in none. What was typed for the first folder is not for a file from elsewhere. */
export async function ownerOf(file: string): Promise<string> {
  const uri = Uri.parse(file);
  if (uri.scheme !== 'file') {
    return folderOf(file); // it lies nowhere yet
  }
  const beside = Uri.joinPath(uri, '..');
  const folder = folderAround(uri);
  if (folder !== undefined) {
    return folder;
  }
  const project = await projectOf(beside);
  return (project ? Uri.joinPath(project, '..') : beside).toString();
}

/** The abl.yaml of what is in a folder: the nearest one upwards, as far as the last folder that is looked into. */
export async function projectOf(from: Uri, last?: Uri): Promise<Uri | undefined> {
  const found = Uri.joinPath(from, 'abl.yaml');
  if (await isFile(found)) {
    return found;
  }
  const above = Uri.joinPath(from, '..');
  return from.path === last?.path || from.path === above.path ? undefined : projectOf(above, last);
}

export async function isFile(uri: Uri): Promise<boolean> {
  try {
    return (await workspace.fs.stat(uri)).type !== FileType.Directory;
  } catch {
    return false; // there is none
  }
}

/** All of them, in the same words. */
export function folders(): string[] {
  const all = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  return all.length > 0 ? all : [folderOf()];
}

/** Its name where there are several, '' where nobody asks which. */
export function folderName(folder: string): string {
  const all = workspace.workspaceFolders ?? [];
  return all.length > 1 ? (all.find(({ uri }) => uri.toString() === folder)?.name ?? '') : '';
}

/** The name of a file's folder where there are several, '' for a file in none. */
export function folderNameOfFile(file: string): string {
  return folderName(folderAround(Uri.parse(file)) ?? '');
}

/** The folder in which a file lies, or will lie once it is saved. */
function folderAround(file: Uri): string | undefined {
  const saved = file.scheme === 'untitled' ? file.with({ scheme: 'file' }) : file;
  return workspace.getWorkspaceFolder(saved)?.uri.toString();
}
