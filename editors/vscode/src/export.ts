// The tools of the file in front in another form, as a new document.
import { window, workspace } from 'vscode';
import type { Runs } from './run';

const forms: { [to: string]: { label: string; language: string } } = {
  'json-schema': { label: 'JSON Schema', language: 'json' },
  mcp: { label: "MCP's list of tools", language: 'json' },
  openai: { label: "OpenAI's functions", language: 'json' },
  toolbox: { label: 'MCP Toolbox, tools.yaml', language: 'yaml' },
  crd: { label: 'Récif Tool CRD', language: 'yaml' },
};

export async function exportTools(runs: Runs): Promise<void> {
  const document = window.activeTextEditor?.document;
  const items = Object.entries(forms).map(([to, form]) => ({ ...form, to }));
  const chosen = document && (await window.showQuickPick(items, { title: 'Export the tools of this file as' }));
  if (!document || !chosen) {
    return;
  }
  const { text, left } = await runs.ask<{ text: string; left: string[] | null }>('abl.export', { uri: document.uri.toString(), to: chosen.to });
  await window.showTextDocument(await workspace.openTextDocument({ language: chosen.language, content: text }));
  if (left && left.length > 0) {
    void window.showWarningMessage(`${chosen.label} cannot say all of it. Left out: ${left.join('; ')}`);
  }
}
