// Saves a run as a case: a page asks for its name, and for what it expects of the answer.
import { Range, Uri, ViewColumn, window, workspace, type ExtensionContext, type TextDocument, type WebviewPanel } from 'vscode';
import type { Location as Place } from 'vscode-languageclient';
import { errorText } from './errors';
import type { CaseAnswer, CaseContent, CaseField, CaseMessage, ExpectedField } from './messages';
import { newPanel } from './panel';
import type { Case, Envelope, RunArgument } from './protocol';
import type { Runs } from './run';
import { versionedName } from './tools';
import { tickStep } from './walkthrough';

export class CaseSaver {
  private panel: WebviewPanel | undefined;

  constructor(
    private readonly context: ExtensionContext,
    private readonly runs: Runs,
  ) {}

  /** Asks how to save a call with its answer, and saves it. */
  async save(call: RunArgument, envelope: Envelope): Promise<void> {
    const cases = await this.runs.askForList<Case[]>('abl.cases', { uri: call.uri });
    const fields = envelope.ok ? await this.runs.askForList<CaseField[]>('abl.caseFields', { answer: envelope.value }) : [];
    this.panel?.dispose();
    const panel = newPanel(this.context, 'case', `Save as Case: ${call.tool}`);
    this.panel = panel;
    const content: CaseContent = {
      tool: call.tool,
      taken: cases.filter(({ tool }) => tool === versionedName(call)).map(({ name }) => name),
      fields,
      failure: failureCondition(envelope),
    };
    const tell = (message: CaseMessage) => void panel.webview.postMessage(message);
    panel.onDidDispose(() => (this.panel = this.panel === panel ? undefined : this.panel));
    let writing = false; // a second Enter saves nothing twice
    panel.webview.onDidReceiveMessage(async (said: CaseAnswer) => {
      switch (said.type) {
        case 'ready':
          return tell(content);
        case 'cancel':
          return panel.dispose();
        case 'submit':
          if (writing) {
            return;
          }
          writing = true;
          return this.write(call, envelope, said).then(() => panel.dispose(), (error: unknown) => {
            writing = false;
            tell({ error: errorText(error) }); // for example the file of cases is broken, and can be fixed now
          });
      }
    });
  }

  private async write(call: RunArgument, envelope: Envelope, { name, expect, failure }: { name: string; expect: ExpectedField[]; failure: boolean }): Promise<void> {
    const fields = envelope.ok && expect.length > 0 ? { answer: envelope.value, expect } : {};
    const expected = failure ? { expect: { ok: false, value: failureCondition(envelope) } } : fields;
    const unsaved = workspace.textDocuments.filter(({ isDirty }) => isDirty);
    const document = await showWritten(await this.runs.ask<Place>('abl.saveCase', { ...call, name, ...expected }));
    if (!unsaved.includes(document)) { // else the person's own changes would be saved too
      await document.save();
    }
    void tickStep('abl.hasCase');
  }
}

const answerKinds = ['timeout', 'limit', 'network', 'remote', 'result', 'sandbox']; // of errors of a run that has begun

/** Returns a condition that the failure of a run meets; '' if it did not fail, or never began. */
function failureCondition({ error }: Envelope): string {
  return error && answerKinds.includes(error.kind) && error.code !== 'cancelled' ? `error.kind == ${JSON.stringify(error.kind)} && error.code == ${JSON.stringify(error.code)}` : '';
}

/** Moves the cursor to what was written, and returns the document. */
async function showWritten({ uri, range }: Place): Promise<TextDocument> {
  const written = new Range(range.start.line, range.start.character, range.end.line, range.end.character);
  const selection = new Range(written.start, written.start); // an empty selection, so that typing replaces nothing
  const editor = await window.showTextDocument(Uri.parse(uri), { viewColumn: ViewColumn.One, selection });
  editor.revealRange(written);
  return editor.document;
}
