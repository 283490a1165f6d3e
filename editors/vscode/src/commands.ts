// The extension's commands, except those that run tools.
import {
  commands,
  EndOfLine,
  env,
  TextEdit,
  UIKind,
  Uri,
  version as editorVersion,
  window,
  workspace,
  WorkspaceEdit,
  type Disposable,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RestartableClient } from './client';
import type { ReferencesArgument } from './protocol';

/** Registers the commands in the server's lenses and fixes that the editor executes. */
export function lensCommands(client: () => LanguageClient): Disposable[] {
  return [
    commands.registerCommand('abl.open', ({ uri }: { uri: string }) => window.showTextDocument(Uri.parse(uri))),
    commands.registerCommand('abl.lineEnds', ({ uri }: { uri: string }) => endLines(Uri.parse(uri))),
    commands.registerCommand('abl.references', ({ uri, position, locations }: ReferencesArgument) =>
      commands.executeCommand(
        'editor.action.showReferences',
        Uri.parse(uri),
        client().protocol2CodeConverter.asPosition(position),
        locations.map((location) => client().protocol2CodeConverter.asLocation(location)),
      ),
    ),
  ];
}

/** Ends the lines of a document with \n: VS Code stores line ends separately from the text. */
function endLines(document: Uri): Thenable<boolean> {
  const edit = new WorkspaceEdit();
  edit.set(document, [TextEdit.setEndOfLine(EndOfLine.LF)]);
  return workspace.applyEdit(edit);
}

/** Registers the commands for the server itself. */
export function serverCommands(session: RestartableClient, show: () => void, version: string): Disposable[] {
  return [
    commands.registerCommand('abl.restart', () => session.restart()),
    commands.registerCommand('abl.showLog', show),
    commands.registerCommand('abl.manageTrust', () => commands.executeCommand('workbench.trust.manage')),
    commands.registerCommand('abl.report', () => report(session.client, version)),
  ];
}

/** Writes what a report needs into a new document, which the person reads and sends. */
async function report(client: LanguageClient, version: string): Promise<void> {
  const server = client.initializeResult?.serverInfo;
  const content = [
    '# A problem with ABL',
    '',
    'What I did:',
    '',
    'What I expected:',
    '',
    'What happened:',
    '',
    '## Versions',
    '',
    `- extension ${version}`,
    `- server ${server?.version ?? 'not running'}`,
    `- VS Code ${editorVersion} on ${process.platform} ${process.arch}, ${env.uiKind === UIKind.Web ? 'in a browser' : 'on the desktop'}${env.remoteName ? ', remote' : ''}`,
    '',
  ].join('\n');
  await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
}
