// What the command line does not see, because it reads files.
import { languages, workspace, type DocumentSelector } from 'vscode';
import { selector } from './client';
import { withoutIcons } from './sanitize';

/** Returns the end of a sentence about a line for the terminal: which files are unsaved; '' if all are saved. */
export function unsavedNote(): string {
  const dirty = workspace.textDocuments.filter((document) => document.isDirty && languages.match(selector as DocumentSelector, document) > 0);
  return dirty.length > 0 ? `, which runs what is saved: ${dirty.map(({ uri }) => withoutIcons(workspace.asRelativePath(uri))).join(', ')} ${dirty.length > 1 ? 'are' : 'is'} not` : '';
}
