// Indents files that VS Code opened before it knew ABL: it does not check again.
import { window, workspace, type TextEditor } from 'vscode';

/** Applies the settings of indentation to editors that were open before the extension, if
 * the text itself is not indented. */
export function indentOpenEditors(): void {
  window.visibleTextEditors.filter(({ document }) => document.languageId === 'abl' && !/^[ \t]+\S/m.test(document.getText())).forEach(indent);
}

function indent(editor: TextEditor): void {
  const { uri, languageId } = editor.document;
  const settings = workspace.getConfiguration('editor', { uri, languageId });
  editor.options = { tabSize: settings.get('tabSize', 2), insertSpaces: settings.get('insertSpaces', true) };
}
