// What the extension does inside a real VS Code, step by step: each step builds on
// the ones before. vscode_test.go says where things are.
import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ActiveFile } from '../src/activefile';
import type { Api } from '../src/extension';
import { folderOf, ownerOf } from '../src/folder';
import type { Case, Envelope, Environment, RunArgument, TestResult } from '../src/protocol';
import { findTool } from '../src/tools';
import { Transport } from '../src/transport';
import { unsavedNote } from '../src/unsaved';

const environmentValue = (name: string): string => {
  const value = process.env[`ABL_TEST_${name}`];
  assert.ok(value, `ABL_TEST_${name} is not set`);
  return value;
};

const workspaceUri = (...parts: string[]) => vscode.Uri.file(path.join(environmentValue('WORKSPACE'), ...parts));
const agent = () => workspaceUri('agents', 'trip_planner.agent.abl');
const library = () => workspaceUri('tools', 'weather.tools.abl');
let api: Api;

const steps: { [name: string]: () => Promise<void> } = {
  'an ABL file starts the extension': async () => {
    const document = await showFile(agent());
    assert.equal(document.languageId, 'abl');
    const extension = vscode.extensions.getExtension<Api>('abl-lsp.abl');
    assert.ok(extension, 'the extension is not there');
    api = await extension.activate();
  },

  'every command of the palette is there': async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const declared = manifest().contributes.commands.map((c: { command: string }) => c.command);
    assert.deepEqual(declared.filter((command: string) => !known.has(command)), []);
  },

  'a mistake is reported once': async () => {
    const found = await until('a diagnostic', () => nonEmpty(vscode.languages.getDiagnostics(agent())));
    assert.equal(found.length, 1, JSON.stringify(found));
    assert.equal(found[0]?.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(textAt(agent(), found[0]?.range), 'GTE');
  },

  'what is typed is reported, and what is mended is not': async () => {
    await replace(agent(), 'GTE', 'GOT');
    assert.match(unsavedNote(), /runs what is saved: agents\/trip_planner\.agent\.abl is not$/);
    await until('the other word', () => vscode.languages.getDiagnostics(agent()).some((d) => textAt(agent(), d.range) === 'GOT'));
    await replace(agent(), 'GOT', 'GET');
    await until('no diagnostic', () => vscode.languages.getDiagnostics(agent()).length === 0 || undefined);
    await replace(agent(), 'GET', 'GTE', 'method: ');
    await until('it again', () => nonEmpty(vscode.languages.getDiagnostics(agent())));
  },

  'a quick fix mends it': async () => {
    const range = vscode.languages.getDiagnostics(agent())[0]?.range;
    const actions = await call<vscode.CodeAction[]>('vscode.executeCodeActionProvider', agent(), range);
    assert.ok(actions.some((action) => action.isPreferred && /GET/.test(action.title)), actions.map((a) => a.title).join());
  },

  'a quick fix ends lines as the platform wants them': async () => {
    const file = workspaceUri('agents', 'windows.agent.abl');
    fs.writeFileSync(file.fsPath, 'AGENT: Windows\r\nGOAL: "Help"\r\nGUARDRAILS:\r\n  no_cards:\r\n    kind: input\r\n    action: block\r\n    check: "true"\r\n');
    const document = await showFile(file);
    const lost = () => vscode.languages.getDiagnostics(file).filter((d) => JSON.stringify(d.code).includes('platform-loss'));
    const found = await until('the loss', () => nonEmpty(lost()));
    const actions = await call<vscode.CodeAction[]>('vscode.executeCodeActionProvider', file, found[0]?.range);
    const command = actions.find((action) => action.command?.command === 'abl.lineEnds')?.command;
    assert.ok(command, actions.map((a) => a.title).join());
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    await until('no loss', () => lost().length === 0 || undefined);
    assert.equal(document.eol, vscode.EndOfLine.LF);
    await document.save();
    assert.ok(!fs.readFileSync(file.fsPath, 'utf8').includes('\r'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    fs.rmSync(file.fsPath);
  },

  'an agent in YAML has the server, and stays YAML': async () => {
    const [desk, other] = [workspaceUri('agents', 'desk.agent.yaml'), workspaceUri('agents', 'compose.yaml')];
    for (const file of [desk, other]) {
      fs.writeFileSync(file.fsPath, 'AGENT: Desk\nGOAL: "Help"\n'); // is in ABL, which the server says of an agent only
      const document = await showFile(file);
      assert.match(document.languageId, file === desk ? /^yaml$/ : /^(yaml|dockercompose)$/);
      if (file === desk) {
        await until('the suffix', () => nonEmpty(vscode.languages.getDiagnostics(desk)));
      }
      assert.deepEqual(vscode.languages.getDiagnostics(file).map(codeOf), file === desk ? ['file-suffix'] : []);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      fs.rmSync(file.fsPath);
    }
  },

  'hover, definition, completion and rename over files': async () => {
    const name = await place(agent(), 'get_weather');
    const hovers = await call<vscode.Hover[]>('vscode.executeHoverProvider', agent(), name);
    assert.match(hovers.flatMap((h) => h.contents.map((c) => (c as vscode.MarkdownString).value)).join(), /weather of a city/);
    const places = await call<(vscode.Location | vscode.LocationLink)[]>('vscode.executeDefinitionProvider', agent(), name);
    const first = places[0];
    assert.equal((first && 'targetUri' in first ? first.targetUri : first?.uri)?.fsPath, library().fsPath);
    const list = await call<vscode.CompletionList>('vscode.executeCompletionItemProvider', agent(), await place(agent(), 'GTE'));
    assert.ok(list.items.some((item) => label(item) === 'DELETE'), list.items.map(label).join());
    const edit = await call<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', agent(), name, 'weather_of');
    assert.deepEqual(edit.entries().map(([uri]) => path.basename(uri.fsPath)).sort(), ['clean.agent.abl', 'trip_planner.agent.abl', 'weather.cases.yaml', 'weather.tools.abl']);
  },

  'a tool that moves is put into the other file unasked': async () => {
    const [from, to] = [workspaceUri('tools', 'moving.agent.abl'), workspaceUri('tools', 'moving.tools.abl')];
    fs.writeFileSync(to.fsPath, 'TOOLS:\n  stays() -> string\n    description: "Stays"\n    type: http\n    endpoint: "https://example.com"\n    method: GET\n');
    fs.writeFileSync(from.fsPath, `AGENT: Moving\nGOAL: "Move"\nTOOLS:\n  file: "./moving.tools.abl" [stays]\n\n${fs.readFileSync(to.fsPath, 'utf8').slice('TOOLS:\n'.length).replace('stays', 'moves')}`);
    await showFile(from);
    const moves = await place(from, 'moves()');
    const client = api.runs['client']();
    const asked = { textDocument: { uri: from.toString() }, range: { start: moves, end: moves }, context: { diagnostics: [] } };
    const found = await until('the move', async () => (await client.sendRequest<{ title: string }[]>('textDocument/codeAction', asked)).find((a) => a.title.startsWith('Move')));
    const { edit } = await client.sendRequest<{ edit: { documentChanges: unknown[]; changeAnnotations?: unknown } }>('codeAction/resolve', found);
    assert.deepEqual([edit.documentChanges.length, edit.changeAnnotations], [2, undefined], JSON.stringify(edit)); // else VS Code leaves the other file out
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    [from, to].forEach((uri) => fs.rmSync(uri.fsPath));
  },

  'a key that is put in shows what may follow it': async () => {
    const { uri } = await vscode.workspace.openTextDocument({ language: 'abl', content: 'TOOLS:\n  a() -> string\n    type: http\n    ' });
    const list = await call<vscode.CompletionList>('vscode.executeCompletionItemProvider', uri, new vscode.Position(3, 4));
    const next = (name: string) => list.items.find((item) => label(item) === name)?.command?.command;
    assert.deepEqual([next('timeout'), next('headers')], ['editor.action.triggerSuggest', undefined], list.items.map(label).join());
  },

  'the canonical form': async () => {
    await replace(agent(), 'method: GTE', 'method:   GTE');
    await until('the form', async () => {
      await vscode.commands.executeCommand('editor.action.formatDocument');
      return /method: GTE/.test((await vscode.workspace.openTextDocument(agent())).getText());
    });
  },

  'Enter and comments as the language wants them': async () => {
    const want = 'TOOLS:\n  ping(host: string) -> string\n    description: |\n      One line\n      and another';
    const editor = await retryUntilTextIs(want, '', () => type('TOOLS:\nping(host: string) -> string\ndescription: |\nOne line\nand another'));
    editor.selection = new vscode.Selection(1, 4, 1, 4);
    await vscode.commands.executeCommand('editor.action.commentLine');
    await until('the comment', () => editor.document.lineAt(1).text === '  # ping(host: string) -> string');
  },

  'a signature over several lines': async () => {
    const want = 'TOOLS:\n  order(a: {b: string}[],\n    c: string,\n    d: {e: string,\n      f: number\n    }\n  ) -> object\n    auth_services:\n      - name: my-sign-in\n        field: sub';
    const { document } = await retryUntilTextIs(want, '', async (editor) => {
      await type('TOOLS:\norder(a: {b: string}[],\nc: string,\nd: {e: string,\nf: number'); // VS Code closes the brackets
      toEnd(editor);
      await type(' -> object\nauth_services:\n- name: my-sign-in\nfield: sub');
    });
    assert.equal(document.getText(document.getWordRangeAtPosition(new vscode.Position(8, 19))), 'my-sign-in');
  },

  'a closing brace goes below what it closes': async () => {
    const content = 'TOOLS:\n  a() -> b\n    body_template: |\n      {\n        "n": 1\n';
    await retryUntilTextIs(`${content}      }`, `${content}        `, () => type('}'));
  },

  // VS Code until 1.96 indents what is pasted by a language's indentationRules, and would make a header of it.
  'what is pasted stays as deep as it is': async () => {
    const content = 'TOOLS:\n  a() -> b\n    headers:\n      X-A: "1"\n';
    const text = '    type: http\n    endpoint: "/a"\n';
    await retryUntilTextIs(content + text, content, () => vscode.commands.executeCommand('paste', { text }));
  },

  'a file goes on with the indentation that it has': async () => {
    for (const step of ['\t', '    ']) {
      const content = `TOOLS:\n${step}a() -> b\n${step}${step}hints:`;
      await retryUntilTextIs(`${content}\n${step}${step}${step}cacheable: true`, content, () => type('\ncacheable: true'));
    }
  },

  'a new file has no mistake, and can be run': async () => {
    for (const command of ['abl.newAgent', 'abl.newTools']) {
      const uri = await until('the new file', async () => {
        await vscode.commands.executeCommand(command);
        const document = activeDocument();
        if (document?.getText().includes('GET')) {
          return document.uri;
        }
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'); // at times VS Code gives it the text of one that was closed
        return false;
      });
      await until('lenses', async () => nonEmpty(await call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri)));
      await replace(uri, 'GET', 'GTE');
      const found = () => vscode.languages.getDiagnostics(uri).map((d) => textAt(uri, d.range)).join();
      await until('the mistake alone', () => found() === 'GTE').catch(() => assert.equal(found(), 'GTE', command));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  },

  'the tools of a file in another form': async () => {
    await showFile(library());
    const exported = vscode.commands.executeCommand('abl.exportTools');
    await until('the form to be chosen', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return activeDocument()?.languageId === 'json';
    });
    await exported;
    assert.match(activeDocument()?.getText() ?? '', /"get_weather"/); // it stays open: the next new document would get its name, and at times its text
  },

  'a report names the versions': async () => {
    await vscode.commands.executeCommand('abl.report');
    const text = await until('the report', () => vscode.workspace.textDocuments.find((d) => d.languageId === 'markdown')?.getText());
    assert.ok(text.includes(`extension ${manifest().version}`) && text.includes(`VS Code ${vscode.version} on linux`), text);
    assert.match(text, /server (?!not running)\S/);
  },

  'the channel of messages has them where the setting says so, without secrets': async () => {
    const settings = vscode.workspace.getConfiguration();
    await settings.update('abl.trace.server', 'verbose', vscode.ConfigurationTarget.Workspace);
    const shows = (await vscode.commands.getCommands()).find((command) => command.includes('ABL (messages)'));
    await vscode.commands.executeCommand(shows ?? 'no channel');
    const said = await until('the message', async () => {
      const call = run('get_weather', { city: 'Paris' });
      await api.runs.ask('abl.preview', { ...call, secrets: { KEY: 'a "s3cret" {', OTHER: 's3cret' } });
      await api.runs.ask('abl.copy', { ...call, as: 'command' });
      return vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'output' && /abl\.copy[^]*"text": /.test(d.getText()))?.getText();
    });
    assert.match(said, /abl\.preview[^]*"OTHER": "••••"[^]*abl\.copy[^]*"text": "••••"/);
    assert.doesNotMatch(said, /s3cret|"args": \{\s*"city": "(?!••••)/);
    await settings.update('abl.trace.server', undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  },

  'the log is shown, and has the reason alone of what the server refuses': async () => {
    await vscode.commands.executeCommand('abl.showLog');
    api.runs['client']().error('Request codeAction/resolve failed.', { code: -32803, message: 'It cannot be moved.' }, false);
    const said = await until('the reason', () => vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'output' && d.getText().includes('It cannot be moved.'))?.getText());
    assert.doesNotMatch(said, /codeAction|-32803/);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  },

  'a walkthrough of five steps that lead somewhere': async () => {
    const { steps } = manifest().contributes.walkthroughs[0] as { steps: { description: string; media: { markdown: string } }[] };
    const known = new Set(await vscode.commands.getCommands(true));
    assert.equal(steps.length, 5);
    for (const { description, media } of steps) {
      assert.ok(known.has(/\(command:([\w.]+)\)/.exec(description)?.[1] ?? ''), description);
      assert.doesNotMatch(description, /[*_`]/); // VS Code shows them as they are
      assert.ok(fs.existsSync(path.join(environmentValue('EXTENSION'), media.markdown)), media.markdown);
    }
  },

  'lenses to run': async () => {
    await showFile(library());
    const lenses = await call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', library());
    const commands = lenses.map((lens) => lens.command?.command);
    assert.ok(commands.includes('abl.run') && commands.includes('abl.preview'), commands.join());
  },

  'files of other systems are served, and others left alone': async () => {
    await showFile(workspaceUri('nao', 'notes.tools.json'));
    const lenses = await until('lenses', async () => nonEmpty(await call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', workspaceUri('nao', 'notes.tools.json'))));
    for (const { command } of lenses.filter((one) => one.command?.command === 'abl.run')) {
      assert.ok(await findTool(api.runs, command?.arguments?.[0]), `no tool, and so no form, for ${command?.arguments?.[0].tool}`);
    }
    const service = workspaceUri('git.tools.json');
    fs.writeFileSync(service.fsPath, '{"service": "git", "tools": {"list": {"description": "Lists"}}}');
    for (const tool of ['list', 'git_list']) { // its lens has the first
      assert.equal((await findTool(api.runs, { uri: service.toString(), tool }))?.description, 'Lists');
    }
    fs.rmSync(service.fsPath);
    await showFile(workspaceUri('other.json'));
    assert.equal((await call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', workspaceUri('other.json'))).length, 0);
  },

  'an agent in YAML written, run, renamed in and converted': async () => {
    const file = workspaceUri('agents', 'guide.agent.yaml');
    fs.writeFileSync(file.fsPath, '');
    const document = await showFile(file);
    const agentText = guide(environmentValue('HOST'));
    for (const [typed, rest, offered] of [['a', 'gent: Guide', 'agent'], ['type: ', 'http', 'http'], ['then: s', 'top', 'stop'], ['call: g', 'et_weather', 'get_weather']] as const) {
      const at = agentText.indexOf(typed + rest) + typed.length;
      await setText(document, agentText.slice(0, at) + agentText.slice(at + rest.length));
      const list = await call<vscode.CompletionList>('vscode.executeCompletionItemProvider', file, document.positionAt(at));
      assert.ok(list.items.some((item) => label(item) === offered), `${offered}: ${list.items.map(label).join()}`);
    }
    await setText(document, agentText);
    await document.save();
    const lens = await until('its lens', async () => (await call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file)).find((one) => one.command?.title === 'Run'));
    const argument: RunArgument = lens.command?.arguments?.[0];
    assert.equal(vscode.languages.getDiagnostics(file).filter((d) => d.severity <= vscode.DiagnosticSeverity.Warning).length, 0);
    const { error, value } = await call<Envelope>('abl.run', { ...argument, args: { city: 'Oslo' }, allowHosts: [environmentValue('HOST')] });
    assert.deepEqual([error, (value as { city: string }).city], [null, 'Oslo']);
    await showFile(file);
    const renamed = await call<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', file, await place(file, 'stop:'), 'finish');
    assert.equal(renamed.get(file).length, 2);
    const actions = await call<vscode.CodeAction[]>('vscode.executeCodeActionProvider', file, new vscode.Range(0, 0, 0, 0), 'refactor', 20);
    const convert = actions.find(({ title }) => title === 'Convert to ABL');
    assert.ok(convert?.edit, actions.map((a) => a.title).join());
    assert.ok(await vscode.workspace.applyEdit(convert.edit));
    const converted = workspaceUri('agents', 'guide.agent.abl');
    const inABL = await vscode.workspace.openTextDocument(converted);
    assert.match(inABL.getText(), /^AGENT: Guide\n[^]*  stop:/);
    await inABL.save();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    [file, converted].forEach(({ fsPath }) => fs.rmSync(fsPath));
  },

  'a run of a real tool': async () => {
    const envelope = await call<Envelope>('abl.run', run('get_weather', { city: 'Paris', days: 2 }));
    assert.equal(envelope.error, null);
    assert.equal((envelope.value as { city: string }).city, 'Paris');
    assert.deepEqual(envelope.set, { forecast_city: 'Paris' });
    await until('the panel', () => tabs().includes('Result: get_weather'));
    assert.equal(api.results.last, envelope);
    let value: Envelope['value'] = 1;
    for (let i = 0; i < 9000; i++) {
      value = [value];
    }
    api.results.show({ ...envelope, value }, run('get_weather', {}), 'abl.run');
    assert.match(api.results.last?.warnings?.join() ?? '', /nested too deeply/);
  },

  'the run before is compared with this one': async () => {
    for (const city of ['Rome', 'Oslo', 'Bonn']) {
      await call('abl.run', run('get_weather', { city }));
    }
    await showFile(library());
    const front = new ActiveFile({ subscriptions: [] } as unknown as vscode.ExtensionContext);
    await api.results['act']('compare');
    const tab = await until('the comparison', () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).find((one) => one.label === 'get_weather: the run before ↔ this run'));
    await until('its text in front', () => vscode.window.activeTextEditor?.document.uri.scheme === 'abl-result');
    assert.equal(front.uri?.toString(), library().toString()); // whose environment stays in the status bar
    const { original, modified } = tab.input as vscode.TabInputTextDiff;
    assert.match((await vscode.workspace.openTextDocument(original)).getText(), /"city": "Oslo"/);
    assert.match((await vscode.workspace.openTextDocument(modified)).getText(), /"city": "Bonn"/);
    await vscode.window.tabGroups.close(tab);
    const last = api.results.last;
    assert.ok(last);
    for (const environment of ['dev', '']) {
      api.results.show({ ...last, environment }, run('get_weather', {}), 'abl.run');
    }
    await api.results['act']('compare');
    const elsewhere = 'get_weather: the run before in dev ↔ this run in no environment';
    const other = await until('where both ran', () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).find((one) => one.label === elsewhere));
    await vscode.window.tabGroups.close(other);
  },

  'a run that prints before its panel opens shows its time': async () => {
    const panel = api.results['freePanel']();
    panel['panel']?.dispose();
    api.results.began('quick', 'printing', () => undefined);
    api.results.output('quick', 'printing', 'one');
    await until('its time', () => panel.showsRunning('printing')).finally(() => api.results.ended('printing', false));
  },

  'the line of the code that failed is shown': async () => {
    const file = workspaceUri('failing.tools.abl');
    fs.writeFileSync(file.fsPath, 'TOOLS:\n  fail() -> string\n    type: sandbox\n    runtime: javascript\n    code: |\n      const 東京 = 1\n      throw new Error("no")\n');
    const argument = { uri: file.toString(), tool: 'fail', args: {} };
    const envelope = await call<Envelope>('abl.run', argument);
    await api.results['actions']().failure(argument, envelope);
    const editor = await until('the file in front', () => activeDocument()?.uri.fsPath === file.fsPath && vscode.window.activeTextEditor);
    assert.equal(editor.selection.active.line, 6);
    fs.rmSync(file.fsPath);
  },

  'a run is kept as a case, which gets a name where none is typed, and has the cursor before it': async () => {
    const file = workspaceUri('tools', 'weather.cases.yaml').fsPath;
    const [answer, before] = [{ ...(api.results.last as Envelope), ok: true, value: { city: 'Bonn' } }, fs.readFileSync(file)];
    await api.saver['write'](run('get_weather', { city: 'Bonn' }), answer, { name: '', expect: [{ path: 'value.city', how: 'type' }], failure: false });
    const { document, selection } = await until('the cases', () => vscode.window.visibleTextEditors.find((editor) => editor.document.fileName.endsWith('weather.cases.yaml')));
    assert.deepEqual([document.lineAt(selection.active.line).text.slice(selection.active.character), selection.isEmpty], ['get weather', true]);
    assert.match(fs.readFileSync(file, 'utf8'), /Bonn[^]*value\.city/); // other programs see it, too
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    fs.writeFileSync(file, before);
  },

  'a preview sends nothing': async () => {
    const envelope = await call<Envelope>('abl.preview', run('get_weather', { city: 'Oslo' }));
    assert.match(JSON.stringify(envelope.value), /Oslo/);
    assert.equal(envelope.attempts?.length ?? 0, 0);
  },

  'a run of a file that was never saved': async () => {
    const content = `TOOLS:\n  base_url: "http://${environmentValue('HOST')}"\n\n  here(city: string) -> object\n    type: http\n    endpoint: "/v1/cities/{city}/weather"\n    method: GET\n\n  there() -> object\n    type: http\n    endpoint: "http://169.254.169.254/latest"\n    method: GET\n`;
    const { uri } = await vscode.workspace.openTextDocument({ language: 'abl', content });
    const argument = { uri: uri.toString(), tool: 'here', args: { city: 'Oslo' }, allowHosts: [environmentValue('HOST')] };
    const envelope = await until('the tool', () => call<Envelope>('abl.run', argument));
    assert.equal((envelope.value as { city: string }).city, 'Oslo', JSON.stringify(envelope.error));
    const refused = await call<Envelope>('abl.run', { uri: uri.toString(), tool: 'there' }); // not asked about: no word allows it
    assert.equal(refused.error?.code, 'metadata-address');
  },

  'a call is asked for what it has not got alone, and for all of it where the tool wants another': async () => {
    const form = async (argument: RunArgument) => {
      const going = call<Envelope | undefined>('abl.run', argument);
      const [one] = await until('a form', () => nonEmpty([...api.runs['answers']['forms']['open'].values()]));
      one?.panel.dispose(); // which gives up
      await going;
      const names = [one?.content.schema, one?.content.more].map((schema) => Object.keys(schema?.properties ?? {}).join());
      return { names: names.join(' | '), error: one?.content.error, values: one?.content.values };
    };
    assert.equal((await form(run('book_trip', { to: '2026-06-05' }))).names, 'city,from | travellers');
    const cases = workspaceUri('tools', 'reports.cases.yaml');
    fs.writeFileSync(cases.fsPath, 'generate_report:\n  - name: half of it\n    args: {report_type: sales}\n');
    const { uri, tool } = { uri: cases.toString(), tool: 'generate_report' };
    await until('the case', async () => nonEmpty(await api.runs.ask<unknown[]>('abl.cases', { uri })));
    assert.equal((await form({ uri, tool, case: 'half of it' })).names, 'date_range | ');
    fs.rmSync(cases.fsPath);
    const content = 'TOOLS:\n  pay(amount: number, to: string) -> object\n    type: http\n    endpoint: "https://api.example.com/{to}"\n    method: GET\n    process:\n      before:\n        require: ["amount < 100"]\n        on_fail: reask("It must be below 100.")\n';
    const document = await vscode.workspace.openTextDocument({ language: 'abl', content });
    const args = { amount: 500, to: 'bob' };
    await until('the tool', async () => nonEmpty(await api.runs.ask<unknown[]>('abl.tools', { uri: document.uri.toString() })));
    assert.deepEqual(await form({ uri: document.uri.toString(), tool: 'pay', args }), { names: 'amount,to | ', error: 'It must be below 100.', values: args });
  },

  'a session variable that a tool reads is asked for, and offered again': async () => {
    const content = 'TOOLS:\n  whose() -> object\n    type: http\n    endpoint: "https://api.example.com/{{session.user.id}}"\n    method: GET\n';
    const { uri } = await vscode.workspace.openTextDocument({ language: 'abl', content });
    await until('the tool', async () => nonEmpty(await api.runs.ask<unknown[]>('abl.tools', { uri: uri.toString() })));
    await showFile(uri);
    const typed = Date.now();
    await replace(uri, 'TOOLS:', 'TOOLS: # typed');
    api.runs['answers']['session']['given'].set(`${await ownerOf(uri.toString())}#user.id`, 'typed before');
    let going = true;
    const previewed = call<Envelope | undefined>('abl.preview', { uri: uri.toString(), tool: 'whose' }).finally(() => (going = false));
    await until('the answer', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return !going;
    });
    assert.equal((await previewed)?.value && JSON.stringify((await previewed)?.value).includes('/typed%20before"'), true);
    assert.ok(Date.now() - typed >= 1000, 'a question came up amid typing');
  },

  'a case that is stopped while it asks for a secret waits for none': async () => {
    const source = new vscode.CancellationTokenSource();
    const before = api.runs['answers']['secrets']['asking'];
    const stopped = api.runs.test({ ...run('private_weather', {}), case: 'at home' }, source.token, { said: {}, refused: false });
    await until('the question', () => api.runs['answers']['secrets']['asking'] !== before || undefined);
    source.cancel();
    assert.equal(await stopped, undefined);
  },

  'a failed case says what came at the line that expected something else': async () => {
    const uri = workspaceUri('tools', 'weather.cases.yaml');
    const argument = { ...run('get_weather', {}), uri: uri.toString(), case: 'a wrong hope' };
    const result = await api.runs.sendWithProgress<TestResult>('abl.test', argument, new vscode.CancellationTokenSource().token, () => undefined);
    const [failure] = result.failures ?? [];
    assert.ok(failure, JSON.stringify(result));
    const { location, expectedOutput, actualOutput } = api.cases['message'](failure);
    assert.equal(location?.uri.toString(), uri.toString());
    assert.match((await vscode.workspace.openTextDocument(uri)).lineAt(location.range.start).text, /== 7/);
    assert.notEqual(expectedOutput, actualOutput);
  },

  'what is saved of a run is refused in a read-only file, before anything is written': async () => {
    const files = vscode.workspace.getConfiguration('files');
    const call = { uri: library().toString(), tool: 'slow_report', args: {} };
    for (const pattern of ['tools/**', path.join(environmentValue('WORKSPACE'), 'tools', '**')]) {
      await files.update('readonlyInclude', { [pattern]: true });
      await assert.rejects(api.runs.ask('abl.saveCase', { ...call, name: 'closed' }), /tools\/weather\.cases\.yaml is read-only/);
    }
    await files.update('readonlyInclude', undefined);
    assert.ok(!(await api.runs.askForList<Case[]>('abl.cases', { uri: call.uri })).some(({ name }) => name === 'closed'));
  },

  'secrets of a file in no folder are of its own project': async () => {
    const elsewhere = vscode.Uri.file(path.join(environmentValue('SIGNALS'), 'elsewhere'));
    const file = (...names: string[]) => vscode.Uri.joinPath(elsewhere, ...names).toString();
    assert.equal(await ownerOf(file('below', 'a.tools.abl')), file('below'));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(elsewhere, 'abl.yaml'), new Uint8Array());
    assert.equal(await ownerOf(file('below', 'a.tools.abl')), file());
    assert.equal(await ownerOf(library().toString()), folderOf(library().toString())); // whatever project it has in there
    assert.equal(folderOf(library().with({ scheme: 'untitled' }).toString()), folderOf(library().toString()));
  },

  'an environment chosen in a file in no folder is of its own project': async () => {
    const [one, other] = ['elsewhere', 'further'].map((name) => vscode.Uri.file(path.join(environmentValue('SIGNALS'), name))) as [vscode.Uri, vscode.Uri];
    const file = (project: vscode.Uri) => vscode.Uri.joinPath(project, 'below', 'a.tools.abl');
    for (const project of [one, other]) {
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(project, 'abl.yaml'), Buffer.from('environments: {dev: {}, other 🛫: {}}\n'));
      await vscode.workspace.fs.writeFile(file(project), Buffer.from('TOOLS:\n'));
    }
    const current = async (project: vscode.Uri) => (await api.runs.ask<Environment[]>('abl.environments', { uri: file(project).toString() })).find((found) => found.current)?.name;
    await showFile(file(one));
    const chosen = vscode.commands.executeCommand('abl.selectEnvironment');
    await until('dev', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await current(one)) === 'dev';
    });
    await chosen;
    assert.equal(await current(other), undefined);
    for (const left of ['{dev: {protected: true}}', '{other: {}}', '{}']) {
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(one, 'abl.yaml'), Buffer.from(`environments: ${left}\n`));
      const { words } = await api.runs['answers']['forms']['known'].where({ uri: file(one).toString(), tool: 'any' });
      assert.equal(words, left.includes('dev') ? 'Environment: dev, which is protected' : 'Environment: no dev'); // as the status bar has it
    }
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  },

  'a server that heeds nothing is ended with the window': async () => {
    const hanging = path.join(environmentValue('SIGNALS'), 'heedless');
    fs.writeFileSync(hanging, `#!/bin/sh\ntrap '' TERM\necho $$ > ${hanging}.pid\nwhile :; do sleep 1; done\n`, { mode: 0o755 });
    const transport = new Transport(() => hanging, vscode.window.createOutputChannel('heedless', { log: true }));
    await transport.start();
    const pid = Number(await until('its process', () => fs.existsSync(`${hanging}.pid`) && /\d+\n/.exec(fs.readFileSync(`${hanging}.pid`, 'utf8'))?.[0]));
    await transport.end();
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  },

  'a run that is cancelled ends at its server': async () => {
    const source = new vscode.CancellationTokenSource();
    const going = api.runs.sendWithProgress('abl.run', run('slow_report', {}), source.token, () => undefined);
    await until('the request', () => fs.existsSync(path.join(environmentValue('SIGNALS'), 'started')) || undefined);
    source.cancel();
    await going.catch(() => undefined);
    await until('its end', () => fs.existsSync(path.join(environmentValue('SIGNALS'), 'cancelled')) || undefined);
  },

  'terminals find the program of the lines that are copied': async () => {
    const added = api.terminals.get('PATH'); // no terminal starts here: code-server's needs a compiler
    assert.equal(added?.type, vscode.EnvironmentVariableMutatorType.Append);
    assert.ok(fs.existsSync(path.join(added.value.replace(path.delimiter, ''), 'abl-lsp')), added.value);
  },

  'the chat is offered the tools of agents, where this VS Code takes them': async () => {
    const takes = 'registerMcpServerDefinitionProvider' in ((vscode as { lm?: object }).lm ?? {});
    assert.equal(api.chat !== undefined, takes);
    const settings = vscode.workspace.getConfiguration('abl');
    await settings.update('environment', 'prod', vscode.ConfigurationTarget.Workspace); // of the tools' project, and not of the agents'
    const file = workspaceUri('agents', 'guide.agent.yaml');
    fs.writeFileSync(file.fsPath, guide(environmentValue('HOST')));
    const offered = (await api.chat?.provideMcpServerDefinitions()) ?? [];
    assert.equal(offered.length, takes ? 3 : 0);
    for (const { command, args } of offered.filter((o) => /clean\.agent\.abl|guide\.agent\.yaml/.test(o.label ?? ''))) {
      assert.match(await listToolsOf(command ?? '', args ?? []), /get_weather/);
    }
    fs.rmSync(file.fsPath);
    await settings.update('environment', undefined, vscode.ConfigurationTarget.Workspace);
  },

  'the server is told the declared settings alone': async () => {
    const settings = vscode.workspace.getConfiguration();
    for (const [name, { default: usual }] of Object.entries<{ default: unknown }>(manifest().contributes.configuration.properties)) {
      assert.deepEqual(settings.inspect(name)?.defaultValue, usual, name);
    }
    await settings.update('abl.codeLens.cases', 'of no use', vscode.ConfigurationTarget.Workspace);
    await settings.update('abl.codeLens.run', false, vscode.ConfigurationTarget.Workspace);
    await until('no Run', async () => (await call<vscode.CodeLens[]>('vscode.executeCodeLensProvider', library())).every((l) => l.command?.title !== 'Run'));
    await settings.update('abl.codeLens.run', undefined, vscode.ConfigurationTarget.Workspace);
    await settings.update('abl.codeLens.cases', undefined, vscode.ConfigurationTarget.Workspace);
  },

  'a server that ends is started again': async () => {
    const before = await until('one server', () => servers().length === 1 && servers()); // those of the chat end
    fs.rmSync(path.join(environmentValue('SIGNALS'), 'started'), { force: true });
    const going = api.runs.run(run('slow_report', {}));
    await until('its start', () => fs.existsSync(path.join(environmentValue('SIGNALS'), 'started')) || undefined);
    process.kill(before[0] ?? 0, 'SIGKILL');
    assert.equal(await going, undefined);
    assert.match(api.results.last?.error?.message ?? 'no error', /may have done/); // and no result from before
    await until('another server', () => servers().find((pid) => pid !== before[0]));
    await until('its answer', async () => nonEmpty(await call<vscode.Hover[]>('vscode.executeHoverProvider', agent(), await place(agent(), 'get_weather'))));
  },

  'paths without a server, and the right one again': async () => {
    const settings = vscode.workspace.getConfiguration('abl');
    const refusing = path.join(environmentValue('SIGNALS'), 'refusing');
    const no = '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no"}}';
    fs.writeFileSync(refusing, `#!/bin/sh\nread -r line\nprintf 'Content-Length: ${no.length}\\r\\n\\r\\n${no}'\nexec cat > /dev/null\n`, { mode: 0o755 });
    fs.symlinkSync(path.join(environmentValue('EXTENSION'), 'server'), path.join(environmentValue('SIGNALS'), 'mine')); // in the home folder of this test
    const hanging = path.join(environmentValue('SIGNALS'), 'hanging');
    fs.writeFileSync(hanging, '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
    for (const [wrong, right] of [['/nowhere/abl-lsp', '~/mine/abl-lsp'], [refusing, 'mine/abl-lsp'], [hanging, 'mine/abl-lsp'], ['/bin/false', undefined]]) {
      await settings.update('server.path', wrong, vscode.ConfigurationTarget.Global);
      await until('no server', () => servers().length === 0);
      await settings.update('server.path', right, vscode.ConfigurationTarget.Global);
      await until(`a server after ${wrong}`, () => servers().length === 1);
      await until('its answer', async () => nonEmpty(await call<vscode.Hover[]>('vscode.executeHoverProvider', agent(), await place(agent(), 'get_weather'))));
    }
  },

  'commands say that there is no server': async () => {
    const settings = vscode.workspace.getConfiguration('abl');
    await settings.update('server.path', '/nowhere/abl-lsp', vscode.ConfigurationTarget.Global);
    await until('no server', () => servers().length === 0);
    await showFile(library());
    for (const command of ['abl.runTool', 'abl.exportTools', 'abl.selectEnvironment', 'abl.restart']) {
      await vscode.commands.executeCommand(command); // is no failure of its own
    }
    await settings.update('server.path', undefined, vscode.ConfigurationTarget.Global);
    await until('a server', () => servers().length === 1);
    await until('its answer', async () => nonEmpty(await call<vscode.Hover[]>('vscode.executeHoverProvider', agent(), await place(agent(), 'get_weather'))));
  },

  'restarting by hand, twice at once, a server that hangs': async () => {
    const saved = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(library(), '../weather.cases.yaml'));
    const shown = (name: string, times = 1) => {
      let found = 0;
      api.cases['controller'].items.get(saved.uri.toString())?.children.forEach(({ label }) => (found += label === name ? 1 : 0));
      return found === times;
    };
    const type = (text: string) => {
      const typed = new vscode.WorkspaceEdit();
      typed.insert(saved.uri, new vscode.Position(0, 0), text);
      return vscode.workspace.applyEdit(typed);
    };
    await type('slow_report:\n  - name: never # as another one is called\n');
    await until('both cases of one name', () => shown('slow_report: never', 2));
    await saved.save();
    fs.writeFileSync(saved.fileName, saved.getText().replace('\n', '\n  - name: written beside 🛫\n')); // as git does, while it is open
    await until('a case that came from outside', () => shown('slow_report: written beside 🛫'));
    const before = servers();
    process.kill(before[0] ?? 0, 'SIGSTOP');
    const restart = () => vscode.commands.executeCommand('abl.restart');
    const restarted = Promise.all([restart(), restart()]);
    await type('slow_report:\n  - name: typed meanwhile 🛫\n');
    await restarted;
    await until('another server alone', () => servers().length === 1 && !before.includes(servers()[0] ?? 0));
    await until('a diagnostic', () => (vscode.languages.getDiagnostics(agent()).length === 1 ? true : undefined));
    await until('a case that was typed meanwhile', () => shown('slow_report: typed meanwhile 🛫'));
    assert.ok(shown('slow_report: never', 2) && shown('slow_report: written beside 🛫'));
  },
};

/** Goes through the steps, to the one after which the test wants no more. */
async function all(): Promise<void> {
  for (const [name, step] of Object.entries(steps)) {
    const from = Date.now();
    try {
      await step();
      fs.appendFileSync(environmentValue('REPORT'), `ok    ${name} (${Date.now() - from} ms)\n`);
    } catch (error) {
      fs.appendFileSync(environmentValue('REPORT'), `FAIL  ${name}: ${error instanceof Error ? error.stack?.split('\n', 8).join('\n') : error}\n`);
      throw error;
    }
    if (name === environmentValue('LAST')) {
      return;
    }
  }
}
export { all as run };

function manifest() {
  return vscode.extensions.getExtension('abl-lsp.abl')?.packageJSON;
}

function run(tool: string, args: RunArgument['args'] & object): RunArgument {
  return { uri: library().toString(), tool, args, allowHosts: [environmentValue('HOST')] };
}

async function call<T>(command: string, ...args: unknown[]): Promise<T> {
  return (await vscode.commands.executeCommand<T>(command, ...args)) as T;
}

/** The document in front: none while VS Code changes from one to another. */
function activeDocument(): vscode.TextDocument | undefined {
  return vscode.window.activeTextEditor?.document;
}

async function showFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const { document } = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
  await until(`${uri} in front`, () => activeDocument() === document);
  return document;
}

/** The place of a word in a file, in the middle of it. */
async function place(uri: vscode.Uri, word: string): Promise<vscode.Position> {
  const document = await vscode.workspace.openTextDocument(uri);
  const offset = document.getText().indexOf(word);
  assert.ok(offset >= 0, `no ${word} in ${uri.fsPath}`);
  return document.positionAt(offset + 1);
}

async function replace(uri: vscode.Uri, from: string, to: string, after = ''): Promise<void> {
  const document = await showFile(uri);
  const start = document.getText().indexOf(after + from) + after.length;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)), to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Does something at the end of a new document, and in another one until the text becomes what
 * it shall be: VS Code does not know the language of a line that it has not coloured yet. All stay
 * open: a new document would get the name of one that is closed, and at times its text. */
async function retryUntilTextIs(want: string, content: string, act: (editor: vscode.TextEditor) => Thenable<unknown>): Promise<vscode.TextEditor> {
  let text = '';
  return until('the text', async () => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'abl', content }));
    toEnd(editor);
    await act(editor);
    text = editor.document.getText().replaceAll('\r\n', '\n');
    return text === want && editor;
  }).catch(() => assert.fail(text));
}

function toEnd(editor: vscode.TextEditor): void {
  const { end } = editor.document.lineAt(editor.document.lineCount - 1).range;
  editor.selection = new vscode.Selection(end, end);
}

/** Types as a person does: Enter too, which indents. */
async function type(text: string): Promise<void> {
  for (const part of text.split(/(\n)/).filter(Boolean)) {
    await vscode.commands.executeCommand('type', { text: part });
  }
}

function textAt(uri: vscode.Uri, range: vscode.Range | undefined): string | undefined {
  return vscode.workspace.textDocuments.find((d) => d.uri.fsPath === uri.fsPath)?.getText(range);
}

async function setText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** An agent in YAML whose tool calls a host. */
function guide(host: string): string {
  return `agent: Guide
goal: Tells the weather
tools:
  - name: get_weather
    description: The weather of a city
    parameters:
      - name: city
    returns: object
    http_binding:
      endpoint: http://${host}/v1/cities/{city}/weather
      method: GET
    type: http
flow:
  entry_point: tell
  steps:
    tell:
      reasoning: false
      call: get_weather
      then: stop
    stop:
      reasoning: false
      respond: Bye
`;
}

function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}

function label(item: vscode.CompletionItem): string {
  return typeof item.label === 'string' ? item.label : item.label.label;
}

/** What an MCP server says that its tools are. */
async function listToolsOf(command: string, args: string[]): Promise<string> {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  let output = '';
  server.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'suite', version: '1' } };
  for (const message of [{ id: 1, method: 'initialize', params: client }, { method: 'notifications/initialized' }, { id: 2, method: 'tools/list', params: {} }]) {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  try {
    return await until('list of tools', () => /"id":2.*$/m.exec(output)?.[0]);
  } finally {
    server.kill();
  }
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The processes of the server that this extension host has started. */
function servers(): number[] {
  return fs.readdirSync('/proc').flatMap((pid) => {
    try {
      const parent = /^\d+ \(abl-lsp\) . (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      return Number(parent) === process.pid ? [Number(pid)] : [];
    } catch {
      return []; // no process, or one that has ended
    }
  });
}

/** Waits for what is not undefined or false; the time bounds a failing test only. */
async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + 120_000;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no ${what} within two minutes`);
}
