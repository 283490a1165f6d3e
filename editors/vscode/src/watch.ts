// Finds files by a pattern, and watches them. If a whole folder is created or deleted, VS Code
// may report only the folder, and not the files in it.
import { Disposable, FileType, workspace, type Uri } from 'vscode';

export interface FileEvents {
  /** Is called for a new file. */
  created: (uri: Uri) => void;
  /** Is called for a file whose text has changed. */
  changed?: (uri: Uri) => void;
  /** Is called for a deleted file or folder of any kind. */
  deleted: (uri: Uri) => void;
  /** Is called after folders were created: [filesOf] finds the files in them. */
  foldersCreated: () => void;
}

/** Returns the existing files of a pattern. */
export function filesOf(pattern: string): Thenable<Uri[]> {
  return workspace.findFiles(pattern, '**/node_modules/**');
}

/** Reports whether a path is, or was, the file or a folder around it. */
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

/** The time within which new folders count as one change, in milliseconds. */
const foldersDelay = 200;

function isFolder(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(({ type }) => (type & FileType.Directory) !== 0, () => false);
}
