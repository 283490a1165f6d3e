// The server of Red Hat's extension YAML with the schema that this extension brings: alone it describes agents in YAML and
// finds no fault in any; while this extension's server runs, it says nothing of what that says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

const { emptySchema } = await import(`${process.env.ABL_TEST_OUT}/agentschema.mjs`);
const extension = process.env.ABL_TEST_EXTENSION;
const server = spawn(process.execPath, [process.env.ABL_TEST_YAML_SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const found = new Map(); // file -> called with its diagnostics
let running = false;
const [scheme, requestSchema, requestContent] = emptySchema(() => running);

connection.onRequest('workspace/configuration', ({ items }) => items.map(({ section }) => (section === 'yaml' ? { validate: true, hover: true, completion: true, schemaStore: { enable: false } } : {})));
connection.onRequest('client/registerCapability', () => null);
connection.onRequest('custom/schema/request', (file) => requestSchema(file));
connection.onRequest('custom/schema/content', (uri) => requestContent(uri));
connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => found.get(uri)?.(diagnostics));
connection.listen();
await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: { textDocument: { hover: {}, completion: {} }, workspace: { configuration: true } } });
await connection.sendNotification('initialized', {});
const [{ fileMatch, url }] = JSON.parse(readFileSync(`${extension}/package.json`, 'utf8')).contributes.yamlValidation;
await connection.sendNotification('json/schemaAssociations', [{ fileMatch: [`/${fileMatch}`], uri: pathToFileURL(path.join(extension, url)).toString() }]);
await connection.sendNotification('yaml/registerCustomSchemaRequest');

/** Opens a file, and returns its diagnostics, the hover on its first key, and what completion offers in its last line. */
async function look(uri, text) {
  const diagnostics = await new Promise((resolve) => {
    found.set(uri, resolve);
    void connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  });
  const at = (line) => ({ textDocument: { uri }, position: { line, character: 0 } });
  const hover = await connection.sendRequest('textDocument/hover', at(0));
  const { items } = await connection.sendRequest('textDocument/completion', at(text.split('\n').length - 1));
  await connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  const faults = diagnostics.map(({ message }) => message).filter((message) => !message.startsWith('Unused anchor')); // which is no matter of the schema
  return { diagnostics: faults, hover: hover?.contents.value ?? '', labels: items.map(({ label }) => label) };
}

const agent = 'agent: Desk\ngoal: Helps\n';
const alone = await look('file:///a/desk.agent.yaml', agent);
assert.deepEqual(alone.diagnostics, []);
assert.match(alone.hover, /agent/i);
assert.ok(alone.labels.includes('persona'), alone.labels.join());
for (const file of process.argv.slice(2)) {
  assert.deepEqual((await look(pathToFileURL(file).toString(), readFileSync(file, 'utf8'))).diagnostics, [], file);
}
assert.deepEqual(await look('file:///a/compose.yaml', agent), { diagnostics: [], hover: '', labels: [] });

running = true;
assert.equal(scheme, new URL(requestSchema('file:///a/desk.agent.yaml')).protocol.slice(0, -1));
assert.deepEqual(await look('file:///a/other.agent.yaml', `${agent}execution: none\n`), { diagnostics: [], hover: '', labels: [] });
server.kill();
