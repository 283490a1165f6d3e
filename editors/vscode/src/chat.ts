// Offers the tools of agents to VS Code's chat as an MCP server, if this VS Code supports
// that. It is the server's own `abl-lsp mcp`, started when the chat needs it.
import * as vscode from 'vscode';
import { Environments } from './environment';
import { folderOf } from './folder';
import { serverProgram } from './server';
import { setting } from './settings';
import { covers, filesOf, watchFiles } from './watch';

const agents = '**/*.{agent.abl,supervisor.abl,agent.yaml}';

// The part of VS Code's API that 1.93 does not have.
interface LaterApi {
  lm?: { registerMcpServerDefinitionProvider?: (id: string, provider: Provider) => vscode.Disposable };
  McpStdioServerDefinition?: new (label: string, command: string, args: string[]) => { label: string; command: string; args: string[] };
}

export interface Provider {
  onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Promise<{ label?: string; command?: string; args?: string[] }[]>;
}

export function offerTools(context: vscode.ExtensionContext, elsewhere: vscode.Event<void>): Provider | undefined {
  const { lm, McpStdioServerDefinition } = vscode as unknown as LaterApi;
  if (!lm?.registerMcpServerDefinitionProvider || !McpStdioServerDefinition) {
    return undefined;
  }
  const changed = new vscode.EventEmitter<void>();
  const again = () => changed.fire();
  let offered: vscode.Uri[] = [];
  const files = watchFiles(agents, {
    created: again,
    deleted: (uri) => offered.some((agent) => covers(uri, agent.toString())) && again(),
    foldersCreated: again,
  });
  const provider: Provider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => {
      offered = vscode.workspace.isTrusted ? await filesOf(agents) : [];
      const label = (uri: vscode.Uri) => `ABL: ${vscode.workspace.asRelativePath(uri)}`;
      return offered.map((uri) => new McpStdioServerDefinition(label(uri), serverProgram(context), ['mcp', ...runFlags(context, uri), uri.fsPath]));
    },
  };
  context.subscriptions.push(
    changed,
    files,
    vscode.workspace.onDidGrantWorkspaceTrust(again),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('abl') && again()),
    elsewhere(again),
    lm.registerMcpServerDefinitionProvider('abl.tools', provider),
  );
  return provider;
}

/** Returns the person's settings for runs as flags. For anything else the chat asks. */
function runFlags(context: vscode.ExtensionContext, agent: vscode.Uri): string[] {
  const environment = Environments.of(context, folderOf(agent.toString()));
  const hosts = setting<string[]>(context, 'abl.allowHosts').flatMap((host) => ['--allow-host', host]);
  const proxy = setting<string>(context, 'abl.proxy');
  return [...(environment && ['--usual-environment', environment]), ...(proxy && ['--proxy', proxy]), ...hosts];
}
