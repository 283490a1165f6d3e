// Finds files of a kind, and follows what becomes of them. Of a folder that comes
// or goes as a whole, VS Code may tell that alone, and nothing of the files in it.
import { Disposable, FileType, workspace, type Uri } from 'vscode';

export interface Told {
  /** Of a file that is new. */
  created: (uri: Uri) => void;
  /** Of a file with another text. */
  changed?: (uri: Uri) => void;
  /** Of any file, or folder, that is not there any more. */
  gone: (uri: Uri) => void;
  /** Of folders that have come: a look at [filesOf] shows what is in them. */
  came: () => void;
}

/** The files of a pattern that are there now. */
export function filesOf(pattern: string): Thenable<Uri[]> {
  return workspace.findFiles(pattern, '**/node_modules/**');
}

/** Whether a path is, or was, the file or a folder it lies in. */
export function covers(path: Uri, file: string): boolean {
  return file === path.toString() || file.startsWith(`${path}/`);
}

export function watchFiles(pattern: string, told: Told): Disposable {
  const files = workspace.createFileSystemWatcher(pattern, false, told.changed === undefined, true);
  const all = workspace.createFileSystemWatcher('**', false, true);
  let due: NodeJS.Timeout | undefined;
  files.onDidCreate(told.created);
  files.onDidChange((uri) => told.changed?.(uri));
  all.onDidDelete(told.gone);
  all.onDidCreate(async (uri) => {
    if (!/\/(\.git|node_modules)\//.test(uri.path) && (await isFolder(uri))) {
      due ??= setTimeout(() => ((due = undefined), told.came()), together);
    }
  });
  return Disposable.from(files, all, { dispose: () => clearTimeout(due) });
}

/** The time within which folders come as one change, in milliseconds. */
const together = 200;

function isFolder(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(({ type }) => (type & FileType.Directory) !== 0, () => false);
}
