// Numbers as they were written, that a long answer costs little, and that no answer is too deep.
import assert from 'node:assert/strict';

const { documentText, cutDeepParts, indentJSON, isTooDeep, parse, stringify } = await import(process.env.ABL_TEST_OUT + '/exact.mjs');

for (const text of [
  '9007199254740993', '10.50', '-0', '1e400', '0.1', '[1,2.5,1.0]', '{"a":"10.50","b":[12345678901234567890,"\\"1.0\\\\"]}', 'null', '"🛫 1.0"',
]) {
  assert.equal(stringify(parse(text)), text, text);
}
assert.equal(parse('{"a": 12.5}').a, 12.5);
for (const text of ['00501', '-01', '[01]', '{"a": 01.50}', '{10.50: 1}', '{1e10 : 1}', '{1: 1}', '1.', '.5', '+1', '\\1']) {
  assert.throws(() => parse(text), SyntaxError, text); // else a call would be sent that no server can read
}
for (const [value, document] of [['a "b"\n🛫\n', 'a "b"\n🛫\n'], ['5', '"5"'], [parse('10.50'), '10.50'], [{ a: 'b\nc' }, '{\n  "a": "b\\nc"\n}'], [undefined, 'null']]) {
  assert.equal(documentText(value), document);
}
const long = JSON.stringify({ text: 'a "quoted" 1.0 \\ '.repeat(600_000) });
assert.equal(stringify(parse(long)), long);
const quotes = JSON.stringify({ text: '"'.repeat(10 << 20), number: 1 });
assert.deepEqual(parse(quotes), JSON.parse(quotes));

const list = (n, inside) => '['.repeat(n) + inside + ']'.repeat(n);
for (const ordinary of ['{"a":[],"b":{"c":[1,2.50,{}],"d":null}}', list(80, '1.50'), `[${Array(5000).fill('{"id":12345678,"tags":["one","two"]}')}]`]) {
  assert.equal(indentJSON(parse(ordinary)), stringify(parse(ordinary), 2));
}
const wide = Array(25_000).fill('1.50').join();
for (const hostile of [list(499, wide), list(90, wide), '[1.50,"🛫",{"a b":'.repeat(240) + '1' + '}]'.repeat(240)]) {
  const text = indentJSON(parse(hostile));
  assert.ok(text.length <= 4 * hostile.length + 20_000, `${hostile.length} have become ${text.length}`);
  assert.match(text, /^\[\n  [[1]/);
  assert.equal(stringify(parse(text)), hostile);
}

const levels = (n, inside) => '{"a":['.repeat(n / 2) + inside + ']}'.repeat(n / 2);
const deep = parse(levels(9000, '1'));
assert.throws(() => stringify(deep), RangeError);
assert.ok(isTooDeep(deep));
assert.equal(stringify(cutDeepParts(deep)), levels(500, '"…"'));
assert.ok(!isTooDeep(parse(levels(500, '1.50, null'))));
assert.equal(stringify(cutDeepParts(parse(levels(500, '1.50,null')))), levels(500, '1.50,null'));
