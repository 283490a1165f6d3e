// Text of others where VS Code takes it for more: in notifications, in lists, and in the
// terminal of the Test Explorer. And why a saved case did not pass.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const { forTerminal, iconless, linkless } = await import(process.env.ABL_TEST_OUT + '/plain.mjs');
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i; // as VS Code finds them

for (const text of ['[Allow](command:abl.ask?%5B%5D)', 'x [a](COMMAND:b "c")](command:d)', '[[a](file:///b)](https://c 🛫)']) {
  assert.match(text, link);
  assert.doesNotMatch(linkless(text), link);
}
assert.equal(linkless('list[0] (of 🛫)'), 'list[0] (of 🛫)');

const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/; // likewise
for (const text of ['$(zap) dev', '\\$(sync~spin)$($(a)) 🛫']) {
  assert.match(text, icon);
  assert.doesNotMatch(iconless(text), icon);
  assert.equal(iconless(text).replaceAll('\u2060', ''), text);
}
assert.equal(iconless('costs $5 (or {less}) 🛫'), 'costs $5 (or {less}) 🛫');

for (const [text, shown] of [
  ['a\nb\r\nc\td 🛫\n\n', 'a\r\nb\r\nc\td 🛫\r\n'],
  ['\x1b[31mred\x1b[0m', 'red\r\n'],
  ['\x1b]8;;command:abl.ask\x07Passed\x1b]8;;\x07', '\\u001b]8;;command:abl.ask\\u0007Passed\\u001b]8;;\\u0007\r\n'],
  ['\x1b]52;c;ZXZpbA==\x07\x9b2J over\rwritten \u202e', '\\u001b]52;c;ZXZpbA==\\u0007\\u009b2J over\\u000dwritten \\u202e\r\n'],
]) {
  assert.equal(forTerminal(text), shown);
}

const { reasonsOf } = await import(process.env.ABL_TEST_OUT + '/ending.mjs');
for (const [failures, error, reasons] of [
  [['arguments: x: it ends too early 🛫'], 'x: it ends too early 🛫', ['arguments: x: it ends too early 🛫']],
  [['ok does not hold'], 'refused', ['ok does not hold', 'refused']],
  [[], 'refused', ['refused']],
  [['value == 3 does not hold for 2'], undefined, ['value == 3 does not hold for 2']],
]) {
  assert.deepEqual(reasonsOf({ failures: failures.map((message) => ({ message })), result: { error: error && { message: error } } }), reasons);
}
assert.deepEqual(reasonsOf({ failures: null, result: null }), []);

// Dialogues make no links; all else goes through notify.ts.
for (const file of readdirSync('src').filter((name) => name !== 'notify.ts')) {
  for (const line of readFileSync(`src/${file}`, 'utf8').split('\n')) {
    assert.ok(!/\bwindow\.(show\w+Message|withProgress)\(/.test(line) || line.includes('modal: true'), `src/${file} notifies by itself: ${line}`);
  }
}
