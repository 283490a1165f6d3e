// How durations, sizes, paths, failures, requests and CSV are written, and with which run another is compared.
import assert from 'node:assert/strict';

const load = (name) => import(`${process.env.ABL_TEST_OUT}/${name}.mjs`);
const [{ formatBytes, formatDuration, formatTime }, { formatPath }, { csv }, { failureTitle }, { previewText }, { runBefore }] = await Promise.all(['units', 'path', 'csv', 'failure', 'previewtext', 'runbefore'].map(load));

for (const [ms, want] of [[0, '0 ms'], [0.04, '0 ms'], [2.46, '2.5 ms'], [9.97, '10 ms'], [340.4, '340 ms'], [999.6, '1.0 s'], [14_676, '14.7 s'], [59_960, '1 min 0 s'], [125_000, '2 min 5 s']]) {
  assert.equal(formatDuration(ms), want);
}
for (const [bytes, want] of [[17, '17 B'], [14_231, '14.2 kB'], [999_960, '1.0 MB'], [3_000_000, '3.0 MB']]) {
  assert.equal(formatBytes(bytes), want);
}
assert.equal(formatTime('then'), 'then');

assert.equal(formatPath('value', [3, 'id', 'odd name', 'in', 'ünï', 0]), 'value[3].id["odd name"]["in"]["ünï"][0]');

// A spreadsheet must not take a text for a formula; numbers stay numbers.
for (const [cell, want] of [
  ['plain', 'plain'], ['a,b', '"a,b"'], ['say "so"', '"say ""so"""'], ['two\nlines', '"two\nlines"'], ['-1.5', '-1.5'], ['+3', '+3'], ['1e-7', '1e-7'], ['', ''],
  ['=1+1', '"\'=1+1"'], ['+cmd|x', '"\'+cmd|x"'], ['-2+3', '"\'-2+3"'], ['@sum(A1)', '"\'@sum(A1)"'], [' =1', '"\' =1"'], ['\t=1', '"\'\t=1"'], ['\u200b=1', '"\'\u200b=1"'], ['＝1', '"\'＝1"'], ['\rx', '"\'\rx"'],
]) {
  assert.equal(csv([[cell, 'x']]), `${want},x\r\n`, JSON.stringify(cell));
}

const fault = { kind: 'remote', code: 'x', message: '' };
for (const [error, want] of [
  [{ ...fault, title: 'Failed: the server answered 404' }, 'Failed: the server answered 404'], [{ ...fault, code: 'http-404' }, 'Failed: the server answered 404'], [{ ...fault, details: { status: 503 } }, 'Failed: the server answered 503'],
  [{ ...fault, kind: 'timeout' }, 'Failed: its time ran out'], [{ ...fault, kind: 'timeout', code: 'cancelled' }, 'Cancelled'], [{ ...fault, kind: 'denied' }, 'Refused'], [{ ...fault, kind: 'needs' }, 'Did not run'], [{ ...fault, kind: 'other' }, 'Failed'],
]) {
  assert.equal(failureTitle(error), want);
}

assert.equal(previewText({ method: 'POST', url: 'http://x/y', headers: { Accept: 'a' }, body: '{"n": 10.50}' }), 'POST http://x/y\nAccept: a\n\n{"n": 10.50}');
assert.equal(previewText({ statement: 'SELECT 1' }), '{\n  "statement": "SELECT 1"\n}');

const past = (run, tool, more) => ({ run, uri: 'file:///a.tools.abl', tool, ...more });
const runs = [past('5', 'a'), past('4', 'b'), past('3', 'a', { reverts: '1' }), past('2', 'a', { version: '2' }), past('1', 'a')];
for (const [entry, want] of [[runs[0], '1'], [runs[1], undefined], [runs[4], undefined], [past('0', 'a'), undefined]]) { // the last one is not among them
  assert.equal(runBefore(entry, runs)?.run, want, entry.run);
}
