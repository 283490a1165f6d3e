// The extension's commands, but for those that run tools.
import { commands, env, Position, Range, UIKind, Uri, version as editorVersion, window, workspace, type Disposable } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Session } from './client';
import type { ReferencesArgument } from './protocol';

/** The commands of the server's lenses that are the editor's to do. */
export function lensCommands(client: () => LanguageClient): Disposable[] {
  return [
    commands.registerCommand('abl.open', ({ uri }: { uri: string }) => window.showTextDocument(Uri.parse(uri))),
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

/** The commands about the server itself. */
export function serverCommands(session: Session, show: () => void, version: string): Disposable[] {
  return [
    commands.registerCommand('abl.restart', () => session.restart().catch(() => undefined)), // it has said why
    commands.registerCommand('abl.showLog', show),
    commands.registerCommand('abl.manageTrust', () => commands.executeCommand('workbench.trust.manage')),
    commands.registerCommand('abl.report', () => report(session.client, version)),
  ];
}

/** Puts what a report needs into a new document, for the person to read and send. */
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

const agent = `AGENT: New_Agent
VERSION: "1.0.0"

GOAL: |
  Say what this agent is for.

TOOLS:
  get_item(id: string) -> object
    description: "Says what the tool does and when to call it."
    type: http
    endpoint: "https://api.example.com/items/{id}"
    method: GET
`;

const library = `TOOLS:
  base_url: "https://api.example.com"

  get_item(id: string) -> object
    description: "Says what the tool does and when to call it."
    type: http
    endpoint: "/items/{id}"
    method: GET
`;

/** The commands that begin a file. */
export function newFileCommands(): Disposable[] {
  const start = (content: string) => async () => {
    const document = await workspace.openTextDocument({ language: 'abl', content });
    const editor = await window.showTextDocument(document);
    editor.revealRange(new Range(new Position(0, 0), new Position(0, 0)));
  };
  return [commands.registerCommand('abl.newAgent', start(agent)), commands.registerCommand('abl.newTools', start(library))];
}
