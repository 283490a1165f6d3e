// Creates files with initial content. Each has its name and its folder before it is saved,
// because VS Code would name an untitled file after its first line.
import { commands, Position, Uri, window, workspace, WorkspaceEdit, type Disposable } from 'vscode';
import type { ActiveFile } from './activefile';
import { folderOf, isFile, ownerOf, projectOf } from './folder';
import { showInfo } from './notify';

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
  # Without it, the base_url of the environment in abl.yaml holds.
  base_url: "https://api.example.com"

  get_item(id: string) -> object
    description: "Says what the tool does and when to call it."
    type: http
    endpoint: "/items/{id}"
    method: GET
`;

const project = `# Where tools run: relative endpoints begin with base_url.
environments:
  dev:
    base_url: "http://127.0.0.1:8080"
  prod:
    base_url: "https://api.example.com"
    protected: true
default_environment: dev
`;

/** Registers the commands that create a file. */
export function newFileCommands(front: ActiveFile): Disposable[] {
  const creates = (name: string, ending: string, content: string) => () => createFile(folderOf(front.uri?.toString()), name, ending, content);
  return [
    commands.registerCommand('abl.newAgent', creates('new_agent', '.agent.abl', agent)),
    commands.registerCommand('abl.newTools', creates('new', '.tools.abl', library)),
  ];
}

/** Names the abl.yaml with a file's environments, and offers to create one if there is none. */
export async function offerProject(file: Uri | undefined): Promise<void> {
  const folder = file?.scheme === 'file' ? await ownerOf(file.toString()) : folderOf(file?.toString());
  if (folder === '') {
    void showInfo('Open a folder first: the abl.yaml in it names the environments.');
    return;
  }
  const root = Uri.parse(folder);
  const below = file?.scheme === 'file' && file.path.startsWith(`${root.path}/`);
  const found = await projectOf(below ? Uri.joinPath(file, '..') : root, root);
  const open = found ? `Open ${workspace.asRelativePath(found)}` : 'New abl.yaml';
  const said = found ? `Environments stand in ${workspace.asRelativePath(found)}.` : 'There is no abl.yaml here that names environments.';
  if ((await showInfo(said, open)) === open) {
    await (found ? window.showTextDocument(found) : createFile(folder, 'abl', '.yaml', project));
  }
}

async function createFile(folder: string, name: string, ending: string, content: string): Promise<void> {
  if (folder === '') {
    await window.showTextDocument(await workspace.openTextDocument({ language: 'abl', content }));
    return;
  }
  const { uri } = await workspace.openTextDocument(await freeName(Uri.parse(folder), name, ending));
  const text = new WorkspaceEdit();
  text.insert(uri, new Position(0, 0), content);
  await workspace.applyEdit(text); // before it is shown: the cursor is at its beginning, and is not moved while a person types
  await window.showTextDocument(uri);
}

/** Returns a name in a folder that neither a file nor an unsaved document has. */
async function freeName(folder: Uri, name: string, ending: string): Promise<Uri> {
  for (let count = 1; ; count++) {
    const file = Uri.joinPath(folder, `${name}${count > 1 ? `_${count}` : ''}${ending}`);
    const begun = workspace.textDocuments.some(({ uri }) => uri.scheme === 'untitled' && uri.path === file.path);
    if (!begun && !(await isFile(file))) {
      return file.with({ scheme: 'untitled' });
    }
  }
}
