// Finds files of a kind, and follows what becomes of them. Of a folder that comes
// or goes as a whole, VS Code may tell that alone, and nothing of the files in it.
import { Disposable, FileType, workspace, type Uri } from 'vscode';

export interface FileEvents {
  /** Of a file that is new. */
  created: (uri: Uri) => void;
  /** Of a file with another text. */
  changed?: (uri: Uri) => void;
  /** Of any file, or folder, that is not there any more. */
  deleted: (uri: Uri) => void;
  /** Of folders that have come: a look at [filesOf] shows what is in them. */
  foldersCreated: () => void;
}

/** The files of a pattern that are there now. */
export function filesOf(pattern: string): Thenable<Uri[]> {
  return workspace.findFiles(pattern, '**/node_modules/**');
}

/** Whether a path is, or was, the file or a folder it lies in. */
export function covers(path: Uri, file: string): boolean {
  return file === path.toString() || file.startsWith(`${path}/`);
}

export function watchFiles(pattern: string, events: FileEvents): Disposable {
  const files = workspace.createFileSystemWatcher(pattern, false, events.changed === undefined, true);
  const all = workspace.createFileSystemWatcher('**', false, true);
  let due: NodeJS.Timeout | undefined;
  files.onDidCreate(events.created);
  files.onDidChange((uri) => events.changed?.(uri));
  all.onDidDelete(events.deleted);
  all.onDidCreate(async (uri) => {
    if (!/\/(\.git|node_modules)\//.test(uri.path) && (await isFolder(uri))) {
      due ??= setTimeout(() => ((due = undefined), events.foldersCreated()), foldersDelay);
    }
  });
  return Disposable.from(files, all, { dispose: () => clearTimeout(due) });
}

/** The time within which folders come as one change, in milliseconds. */
const foldersDelay = 200;

function isFolder(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(({ type }) => (type & FileType.Directory) !== 0, () => false);
}
