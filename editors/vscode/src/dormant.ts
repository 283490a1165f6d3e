// Starts the extension when a file needs it. VS Code activates it for every YAML file, because agents in YAML have no
// language of their own; for other YAML it must do nothing.
import { commands, languages, window, workspace, type Disposable, type ExtensionContext, type TextDocument } from 'vscode';

/** Starts the extension if an open document or the workspace has a file for it. Otherwise the result is undefined,
 * and such a document starts it when it is opened, or a command, or the view. */
export async function startWhenNeeded<T>(context: ExtensionContext, start: () => Promise<T>): Promise<T | undefined> {
  const { activationEvents, contributes } = context.extension.packageJSON as Manifest;
  const patterns = activationEvents.filter((event) => event.startsWith(prefix)).map((event) => event.slice(prefix.length));
  const isNeeded = (document: TextDocument) => languages.match(documents(patterns), document) > 0;
  if (workspace.textDocuments.some(isNeeded) || (await contains(patterns))) {
    return start();
  }
  let waiting: Disposable[] = [];
  let started: Promise<T> | undefined;
  const begin = () => {
    waiting.splice(0).forEach((one) => one.dispose());
    return (started ??= start());
  };
  const stub = (command: string) =>
    commands.registerCommand(command, async (...args: unknown[]) => {
      await begin();
      return commands.executeCommand(command, ...args);
    });
  waiting = [
    workspace.onDidOpenTextDocument((document) => isNeeded(document) && begin()),
    window.registerTreeDataProvider('abl.history', { getChildren: () => void begin(), getTreeItem: () => ({}) }),
    ...contributes.commands.map(({ command }) => stub(command)),
  ];
  context.subscriptions.push({ dispose: () => waiting.forEach((one) => one.dispose()) });
  return undefined;
}

const prefix = 'workspaceContains:';

interface Manifest {
  activationEvents: string[];
  contributes: { commands: { command: string }[] };
}

/** Selects the documents for which the extension starts: those whose files start it in a workspace. */
function documents(patterns: string[]) {
  return ['file', 'untitled'].flatMap((scheme) => [{ scheme, language: 'abl' }, ...patterns.map((pattern) => ({ scheme, pattern }))]);
}

/** Reports whether the workspace has a file of one of the patterns. Each is searched for alone, because some have braces. */
async function contains(patterns: string[]): Promise<boolean> {
  for (const pattern of patterns) {
    if ((await workspace.findFiles(pattern, undefined, 1)).length > 0) {
      return true;
    }
  }
  return false;
}
