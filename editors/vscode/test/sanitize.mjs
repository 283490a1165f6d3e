// Text of others where VS Code takes it for more: in notifications, in lists, and in the
// terminal of the Test Explorer. And why a saved case did not pass.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const { terminalLines, withoutIcons, withoutLinks, escapeBidi } = await import(process.env.ABL_TEST_OUT + '/sanitize.mjs');
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i; // as VS Code finds them

for (const text of ['[Allow](command:abl.ask?%5B%5D)', 'x [a](COMMAND:b "c")](command:d)', '[[a](file:///b)](https://c 🛫)']) {
  assert.match(text, link);
  assert.doesNotMatch(withoutLinks(text), link);
}
assert.equal(withoutLinks('list[0] (of 🛫)'), 'list[0] (of 🛫)');

assert.equal(escapeBidi('to \u202ea\u2066b\u200f 🛫 مرحبا\n'), 'to \\u202ea\\u2066b\\u200f 🛫 مرحبا\n');

const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/; // likewise
for (const text of ['$(zap) dev', '\\$(sync~spin)$($(a)) 🛫']) {
  assert.match(text, icon);
  assert.doesNotMatch(withoutIcons(text), icon);
  assert.equal(withoutIcons(text).replaceAll('\u2060', ''), text);
}
assert.equal(withoutIcons('costs $5 (or {less}) 🛫'), 'costs $5 (or {less}) 🛫');

for (const [text, shown] of [
  ['a\nb\r\nc\td 🛫\n\n', 'a\r\nb\r\nc\td 🛫\r\n'],
  ['\x1b[31mred\x1b[0m', 'red\r\n'],
  ['\x1b]8;;command:abl.ask\x07Passed\x1b]8;;\x07', '\\u001b]8;;command:abl.ask\\u0007Passed\\u001b]8;;\\u0007\r\n'],
  ['\x1b]52;c;ZXZpbA==\x07\x9b2J over\rwritten \u202e', '\\u001b]52;c;ZXZpbA==\\u0007\\u009b2J over\\u000dwritten \\u202e\r\n'],
]) {
  assert.equal(terminalLines(text), shown);
}

const { failureReasons } = await import(process.env.ABL_TEST_OUT + '/ending.mjs');
for (const [failures, error, reasons] of [
  [['arguments: x: it ends too early 🛫'], 'x: it ends too early 🛫', ['arguments: x: it ends too early 🛫']],
  [['ok does not hold'], 'refused', ['ok does not hold', 'refused']],
  [[], 'refused', ['refused']],
  [['value == 3 does not hold for 2'], undefined, ['value == 3 does not hold for 2']],
]) {
  assert.deepEqual(failureReasons({ failures: failures.map((message) => ({ message })), result: { error: error && { message: error } } }), reasons);
}
assert.deepEqual(failureReasons({ failures: null, result: null }), []);

// What a schema calls secret is not remembered, wherever it stands.
const { withoutMasked, withoutSecrets } = await import(process.env.ABL_TEST_OUT + '/secretarguments.mjs');
const pin = { type: 'string', format: 'password' };
const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, pin: { $ref: '#/$defs/pin' } } };
const schema = {
  $defs: { node, pin, code: { $anchor: 'code', ...pin }, loop: { anyOf: [{ $ref: '#/$defs/loop' }, { $ref: '#/$defs/loop' }] } },
  properties: {
    user: { type: 'string' }, pin, key: { anyOf: [{ type: 'null' }, { type: 'string', writeOnly: true }] }, keys: { type: 'array', items: pin },
    chain: { $ref: '#/$defs/node' }, map: { type: 'object', additionalProperties: pin }, loop: { $ref: '#/$defs/loop' },
    code: { $ref: '#code' }, whole: { $ref: '#' }, none: { $ref: '#none' },
  },
};
const open = { user: 'Ada 🛫', chain: { next: { next: {} } }, keys: [], map: {}, loop: 1, whole: { user: 'Bob' }, none: 1, more: [null] };
assert.deepEqual(withoutSecrets(open, schema), open);
assert.deepEqual(withoutSecrets({ user: 'Ada', pin: '1', key: '2', keys: ['3'], chain: { next: { next: { pin: '4' } } }, map: { a: '5' }, code: '6', whole: { pin: '7' } }, schema), { user: 'Ada' });

assert.deepEqual(withoutMasked({ a: '🛫', pin: '••••(pin)', deep: [{ x: 'of ••••(KEY)' }], dots: '••••' }), { a: '🛫', dots: '••••' });

// A question stays in sight: VS Code's dialogue holds some rows, long lines or short ones.
const { firstRows, shortenQuestion } = await import(process.env.ABL_TEST_OUT + '/shorten.mjs');
const rowsOf = (text) => text.split('\n').reduce((all, line) => all + Math.max(1, Math.ceil(line.length / 50)), 0);
for (const text of ['🛫\n'.repeat(40), 'x'.repeat(9000), `${'{\n'.repeat(20)}${'y'.repeat(2000)}\nz`, '\n'.repeat(99)]) {
  const first = firstRows(text);
  assert.ok(text.startsWith(first) && rowsOf(first) > 20 && rowsOf(first) <= 22, `${rowsOf(first)} rows of ${text.slice(0, 30)}`);
}
for (const text of ['', 'a: 1\nb:\n{\n  "c": "🛫"\n}', 'x'.repeat(1100)]) {
  assert.equal(firstRows(text), text);
}
const end = ') in prod? It changes something. What is confirmed does not cover node (found on PATH) and packages that are installed.';
const long = shortenQuestion(`Run many(${'p: "v", '.repeat(500)}${end}`);
assert.ok(long.length < 310 && long.startsWith('Run many(') && long.endsWith(end), long);
assert.equal(shortenQuestion('Run it(a: 1)?'), 'Run it(a: 1)?');

// Bytes come out as they went in, whatever carries them.
const { binaryParts, fileName, byteLength } = await import(process.env.ABL_TEST_OUT + '/bytes.mjs');
const raw = Buffer.from([0x25, 0, 255, 254, 10]);
const base64 = raw.toString('base64');
for (const [value, media, given = {}] of [
  [base64, 'application/pdf', { encoding: 'base64', content_type: 'application/pdf' }],
  [`data:image/png;base64,${base64}`, 'image/png'],
  [{ type: 'audio', data: base64, mimeType: 'audio/wav' }, 'audio/wav'],
  [[{ type: 'text', text: '🛫' }, { type: 'resource', resource: { uri: 'x:y', blob: base64, mimeType: 'application/zip' } }], 'application/zip'],
]) {
  const [found, ...others] = binaryParts({ value, ...given });
  assert.deepEqual([found.media, Buffer.from(found.base64, 'base64'), byteLength(found), others], [media, raw, raw.length, []]);
}
for (const value of ['JV••••(PIN)8A', [{ type: 'image', data: 'JV••••(PIN)8A', mimeType: 'image/png' }]]) { // what lacks a secret is no file
  assert.deepEqual(binaryParts({ value, encoding: 'base64', content_type: 'application/pdf' }), []);
}
for (const value of ['5', base64, null, { data: base64 }, [{ type: 'text', text: 'x' }]]) {
  assert.deepEqual(binaryParts({ value, content_type: 'application/pdf' }), []);
}
assert.equal(fileName('../my tool 🛫', { media: 'application/pdf' }), '_my_tool_.pdf');
assert.equal(fileName('größe', { media: 'application/vnd.ms-excel' }), 'größe.bin');

// All that VS Code shows of it goes through notify.ts.
for (const file of readdirSync('src').filter((name) => name !== 'notify.ts')) {
  for (const line of readFileSync(`src/${file}`, 'utf8').split('\n')) {
    assert.ok(!/\bwindow\.(show\w+Message|withProgress)\(/.test(line), `src/${file} notifies by itself: ${line}`);
  }
}
