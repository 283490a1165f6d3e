// Exports the tools of the active file in another form, as a new document.
import { window, workspace } from 'vscode';
import type { ActiveFile } from './activefile';
import { showInfo, showWarning } from './notify';
import type { Runs } from './run';
import { toolsInFront } from './tools';

const forms: { [to: string]: { label: string; language: string } } = {
  'json-schema': { label: 'JSON Schema', language: 'json' },
  mcp: { label: "MCP's list of tools", language: 'json' },
  openai: { label: "OpenAI's functions", language: 'json' },
  toolbox: { label: 'MCP Toolbox, tools.yaml', language: 'yaml' },
  crd: { label: 'Récif Tool CRD', language: 'yaml' },
  corail: { label: "Récif's CORAIL_TOOLS", language: 'json' },
  prompt: { label: 'Part of a system prompt', language: 'markdown' },
  nao: { label: "Nao's records", language: 'json' },
};

interface Exported {
  text: string;
  left: string[]; // what the form cannot express
  notes: string[];
}

export async function exportTools(runs: Runs, front: ActiveFile): Promise<void> {
  const found = await toolsInFront(runs, front);
  if (found === undefined) {
    return;
  }
  const items = Object.entries(forms).map(([to, form]) => ({ ...form, to }));
  const chosen = await window.showQuickPick(items, { title: 'Export the tools of this file as' });
  if (!chosen) {
    return;
  }
  const { text, left, notes } = await runs.ask<Exported>('abl.export', { uri: found.uri, to: chosen.to });
  const lost = `Left out: ${left.join('; ')}`;
  if (text.trim() === '') {
    void showWarning(`${chosen.label} can say nothing of these tools. ${left.length > 0 ? lost : ''}`);
    return;
  }
  await window.showTextDocument(await workspace.openTextDocument({ language: chosen.language, content: text }));
  if (left.length > 0) {
    void showWarning(`${chosen.label} cannot say all of it. ${lost}`);
  }
  if (notes.length > 0) {
    void showInfo(notes.join('; '));
  }
}
