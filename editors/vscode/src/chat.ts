// Offers the tools of agents to VS Code's chat, as an MCP server, where this VS Code
// can take one. It is the server's own `abl-lsp mcp`, started when the chat wants it.
import * as vscode from 'vscode';
import { program } from './server';

// The part of VS Code's API that 1.93 does not have yet.
interface LaterApi {
  lm?: { registerMcpServerDefinitionProvider?: (id: string, provider: Provider) => vscode.Disposable };
  McpStdioServerDefinition?: new (label: string, command: string, args: string[]) => unknown;
}

interface Provider {
  onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Promise<unknown[]>;
}

export function offerTools(context: vscode.ExtensionContext): void {
  const { lm, McpStdioServerDefinition } = vscode as unknown as LaterApi;
  if (!lm?.registerMcpServerDefinitionProvider || !McpStdioServerDefinition) {
    return;
  }
  const changed = new vscode.EventEmitter<void>();
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.agent.abl', false, true, false);
  watcher.onDidCreate(() => changed.fire());
  watcher.onDidDelete(() => changed.fire());
  const provider: Provider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => {
      const files = vscode.workspace.isTrusted ? await vscode.workspace.findFiles('**/*.agent.abl', '**/node_modules/**') : [];
      return files.map((uri) => new McpStdioServerDefinition(`ABL: ${vscode.workspace.asRelativePath(uri)}`, program(context), ['mcp', uri.fsPath]));
    },
  };
  context.subscriptions.push(changed, watcher, lm.registerMcpServerDefinitionProvider('abl.tools', provider));
}
