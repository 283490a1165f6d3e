// Writes into a tool that it changes nothing, which a run then believes.
import { Position, Uri, workspace, WorkspaceEdit, type TextDocument } from 'vscode';
import type { RunArgument } from './protocol';

/** Sets `side_effects: false` among the hints of the tool. */
export async function declareHarmless(argument: RunArgument): Promise<boolean> {
  const document = await workspace.openTextDocument(Uri.parse(argument.uri));
  const change = edit(document, argument.tool);
  if (change === undefined) {
    return false;
  }
  const edits = new WorkspaceEdit();
  edits.insert(document.uri, new Position(change.line, 0), change.text);
  return workspace.applyEdit(edits);
}

/** Where the line belongs: below `hints:` of the tool, else with it at the end of the tool. */
export function edit(document: Pick<TextDocument, 'lineCount' | 'lineAt'>, tool: string): { line: number; text: string } | undefined {
  const lines = Array.from({ length: document.lineCount }, (_, i) => document.lineAt(i).text);
  const start = lines.findIndex((line) => line.trimStart().startsWith(`${tool}(`));
  if (start < 0) {
    return undefined;
  }
  const depth = indent(lines[start] ?? '');
  let last = start;
  for (let i = start + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') {
      continue;
    }
    if (indent(line) <= depth) {
      break;
    }
    last = i;
    if (/^\s*hints:\s*(#.*)?$/i.test(line)) {
      return { line: i + 1, text: `${' '.repeat(indent(line) + 2)}side_effects: false\n` };
    }
  }
  const pad = ' '.repeat(depth + 2);
  const before = last + 1 === lines.length ? '\n' : '';
  return { line: last + 1, text: `${before}${pad}hints:\n${pad}  side_effects: false\n` };
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}
