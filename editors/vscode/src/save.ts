// Saves results as files.
import { homedir } from 'node:os';
import { Uri, window, workspace } from 'vscode';
import { binaryParts, byteLength, fileName, safeName, type BinaryPart } from './bytes';
import type { Envelope } from './protocol';
import { formatBytes } from './units';

/** Saves the bytes in a result. */
export async function saveBytes(envelope: Envelope): Promise<void> {
  const bytes = await chooseBytes(binaryParts(envelope));
  if (bytes) {
    await saveAs(envelope.tool, fileName(envelope.tool, bytes), Buffer.from(bytes.base64, 'base64'));
  }
}

/** Saves a text of a result, or bytes as base64. */
export function saveText(tool: string, { suffix, text, base64 }: { suffix: string; text: string; base64: boolean }): Promise<void> {
  return saveAs(tool, `${safeName(tool)}.${suffix}`, Buffer.from(text, base64 ? 'base64' : 'utf8'));
}

/** Writes a file whose place the person chooses. */
async function saveAs(tool: string, name: string, content: Buffer): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const to = await window.showSaveDialog({ title: `Save what ${tool} gave`, defaultUri: Uri.joinPath(folder, name) });
  if (to) {
    await workspace.fs.writeFile(to, content);
    void window.setStatusBarMessage(`$(save) Saved ${formatBytes(content.length)}`, 6000);
  }
}

/** Asks which of several parts to save. */
async function chooseBytes(all: BinaryPart[]): Promise<BinaryPart | undefined> {
  if (all.length < 2) {
    return all[0];
  }
  const items = all.map((bytes, i) => ({ label: `${i + 1}: ${bytes.media}`, description: `${byteLength(bytes)} bytes`, bytes }));
  return (await window.showQuickPick(items, { title: 'Save which part?' }))?.bytes;
}
