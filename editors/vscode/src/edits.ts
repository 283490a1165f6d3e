// Edits that the server asks for. VS Code would make an extension's edits also in read-only
// files, and never save them: they would silently be lost.
import { CancellationTokenSource, languages, RelativePattern, Uri, workspace, type TextDocument } from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageclient';
import type { Middleware } from 'vscode-languageclient/node';

type ApplyEdit = NonNullable<NonNullable<Middleware['workspace']>['handleApplyEdit']>;

/** Makes an edit, unless the settings make one of its files read-only. */
export const applyEdit: ApplyEdit = (params, make) => {
  const closed = changedFiles(params.edit).find(isReadonly);
  if (closed) {
    return { applied: false, failureReason: `${workspace.asRelativePath(closed)} is read-only by the setting files.readonlyInclude` };
  }
  return make(params, new CancellationTokenSource().token);
};

function changedFiles(edit: WorkspaceEdit): Uri[] {
  const uris = (edit.documentChanges ?? []).flatMap((change) => ('textDocument' in change ? [change.textDocument.uri] : 'uri' in change ? [change.uri] : []));
  return [...uris, ...Object.keys(edit.changes ?? {})].map((uri) => Uri.parse(uri));
}

function isReadonly(uri: Uri): boolean {
  const files = workspace.getConfiguration('files', uri);
  const named = (setting: string) => Object.entries(files.get<Record<string, boolean>>(setting, {})).some(([pattern, on]) => on && matchesPattern(pattern, uri));
  return named('readonlyInclude') && !named('readonlyExclude');
}

/** Reports whether a pattern, absolute or relative to the file's folder, matches a file, which need not exist yet. */
function matchesPattern(pattern: string, uri: Uri): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  const patterns = folder ? [pattern, new RelativePattern(folder, pattern)] : [pattern];
  return languages.match(patterns.map((one) => ({ pattern: one })), { uri, languageId: '' } as TextDocument) > 0;
}
