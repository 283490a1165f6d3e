// Files that VS Code opened before it knew how ABL is indented: it does not look again.
import { window, workspace, type TextEditor } from 'vscode';

/** Indents as the settings say in editors that were open before the extension, where
 * the text says nothing. */
export function indentOpenEditors(): void {
  window.visibleTextEditors.filter(({ document }) => document.languageId === 'abl' && !/^[ \t]+\S/m.test(document.getText())).forEach(indent);
}

function indent(editor: TextEditor): void {
  const { uri, languageId } = editor.document;
  const settings = workspace.getConfiguration('editor', { uri, languageId });
  editor.options = { tabSize: settings.get('tabSize', 2), insertSpaces: settings.get('insertSpaces', true) };
}
