// The folder of the workspace to which something belongs. What a person chooses or types for
// one folder applies only there, because names may mean something else in another.
import { FileType, Uri, workspace } from 'vscode';

/** Returns the URI of a file's folder, that of the first folder for a file outside of all, or '' without a folder. */
export function folderOf(file?: string): string {
  return (file === undefined ? undefined : folderAround(Uri.parse(file))) ?? workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
}

/** Returns the owner of the secrets that a file's tools use: its folder, or its project if it is
 * outside of all folders. Secrets for the first folder are not for a file from elsewhere. */
export async function ownerOf(file: string): Promise<string> {
  const uri = Uri.parse(file);
  if (uri.scheme !== 'file') {
    return folderOf(file); // it is not saved yet
  }
  const beside = Uri.joinPath(uri, '..');
  const folder = folderAround(uri);
  if (folder !== undefined) {
    return folder;
  }
  const project = await projectOf(beside);
  return (project ? Uri.joinPath(project, '..') : beside).toString();
}

/** Returns the nearest abl.yaml in a folder or above it, up to the folder last. */
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
    return false; // it does not exist
  }
}

/** Returns the URIs of all folders, as folderOf does. */
export function folders(): string[] {
  const all = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  return all.length > 0 ? all : [folderOf()];
}

/** Returns a folder's name if there are several folders, else ''. */
export function folderName(folder: string): string {
  const all = workspace.workspaceFolders ?? [];
  return all.length > 1 ? (all.find(({ uri }) => uri.toString() === folder)?.name ?? '') : '';
}

/** Returns the name of a file's folder if there are several folders, '' for a file outside of all. */
export function folderNameOfFile(file: string): string {
  return folderName(folderAround(Uri.parse(file)) ?? '');
}

/** Returns the folder of a file, or of a document that will be saved in it. */
function folderAround(file: Uri): string | undefined {
  const saved = file.scheme === 'untitled' ? file.with({ scheme: 'file' }) : file;
  return workspace.getWorkspaceFolder(saved)?.uri.toString();
}
