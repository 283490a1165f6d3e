// Saves the bytes in a result as a file.
import { homedir } from 'node:os';
import { Uri, window, workspace } from 'vscode';
import { binaryParts, byteLength, fileName, type BinaryPart } from './bytes';
import type { Envelope } from './protocol';

export async function saveBytes(envelope: Envelope): Promise<void> {
  const bytes = await chooseBytes(binaryParts(envelope));
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const to = bytes && (await window.showSaveDialog({ title: `Save what ${envelope.tool} gave`, defaultUri: Uri.joinPath(folder, fileName(envelope.tool, bytes)) }));
  if (bytes && to) {
    await workspace.fs.writeFile(to, Buffer.from(bytes.base64, 'base64'));
    void window.setStatusBarMessage(`$(save) Saved ${byteLength(bytes)} bytes`, 6000);
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
