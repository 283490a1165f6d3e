// The pages that ask: the form of a tool with every kind of field, and the page that saves a case,
// with names for who cannot see them.
import assert from 'node:assert/strict';
import { content, load, point, runAll, tell, unnamed } from './page.mjs';

const { stringify } = await import(`${process.env.ABL_TEST_OUT}/exact.mjs`);

const schema = {
  type: 'object',
  required: ['name', 'day', 'id', 'sure', 'kind', 'at', 'tags', 'points'],
  properties: {
    name: { type: 'string', description: 'Whom it is for' },
    day: { type: 'string', format: 'date' },
    id: { type: 'integer' },
    sure: { type: 'boolean' },
    kind: { enum: ['a', 'b', 3] },
    at: point,
    tags: { type: 'array', items: { type: 'string' } },
    points: { type: 'array', items: point },
  },
};
const more = { type: 'object', properties: { units: { type: 'string', default: 'celsius' }, any: { type: 'constructor' } } };

async function form() {
  const { page, said } = await load('form', { ...content, schema, more, values: { name: 'Ada' } });
  assert.equal(await page.getByLabel('name').inputValue(), 'Ada');
  assert.equal(await page.evaluate(() => getSelection().toString()), 'Ada'); // typing takes its place
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /day is required/);
  assert.equal(await page.locator(':focus').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('day').fill('2026-06-01');
  await page.getByLabel('id').fill('9007199254740993');
  await page.getByLabel('sure').selectOption('false');
  await page.getByLabel('kind').selectOption('3');
  await page.locator('[data-name=at]').getByLabel('x').fill('1.5');
  const tags = page.locator('[data-name=tags]');
  await tags.getByRole('button', { name: 'Add' }).click();
  await page.keyboard.type('red');
  await tags.getByRole('button', { name: 'Add' }).click();
  await tags.getByRole('button', { name: 'Remove item 2' }).click();
  const points = page.locator('[data-name=points]');
  await points.getByRole('button', { name: 'Add' }).click();
  await points.getByLabel('x').fill('much');
  await page.getByText('Optional').click();
  await page.getByLabel('any').fill('{"deep": [1]}');
  assert.deepEqual(await unnamed(page), []);
  await page.getByRole('button', { name: 'Cancel' }).press('Control+Enter');
  assert.equal(await page.locator('#error').innerText(), 'points[0].x is no number.');
  await points.getByLabel('x').fill('2');
  await page.locator('[data-name=at]').getByLabel('x').fill('');
  await page.locator('[data-name=at]').getByLabel('x').press('Control+Enter');
  assert.equal(await page.locator('#error').innerText(), 'at.x is required.');
  await page.locator('[data-name=at]').getByLabel('x').fill('1.5');
  await page.getByLabel('name').press('Enter');
  const want = '{"name":"Ada","day":"2026-06-01","id":9007199254740993,"sure":false,"kind":3,"at":{"x":1.5},"tags":["red"],"points":[{"x":2}],"any":{"deep":[1]}}';
  assert.equal(stringify(said.at(-1).args), want);
  await page.keyboard.press('Escape');
  await page.locator('#error', { hasText: 'what you typed is lost' }).waitFor();
  assert.equal(said.at(-1).type, 'submit');
  await page.keyboard.press('Escape');
  assert.equal(said.at(-1).type, 'cancel');
  await page.close();
}

/** What stays what it was where nobody touches it, and what is sent of what is typed. */
async function kept() {
  const values = {
    empty: '', none: null, lines: 'a\n🛫 b', windows: 'a\r\nb', list: [], extra: { x: 1, other: true }, big: '\uE0009007199254740993', unit: '', day: '2026-06-01',
  };
  const properties = {
    empty: { type: 'string' }, none: { type: ['string', 'null'] }, lines: { type: 'string' }, windows: { type: 'string' }, list: { type: 'array', items: { type: 'string' } },
    extra: point, big: { type: 'integer' }, unit: { enum: ['', 'K'] }, day: { type: 'string', format: 'date' }, absent: { type: 'string' },
  };
  const { page, said } = await load('form', { ...content, schema: { type: 'object', required: ['empty', 'none'], properties }, more: { properties: { seen: { type: 'string' } } }, values: { ...values, seen: 'yes' } });
  assert.ok(await page.getByLabel('seen').isVisible(), 'what is sent is hidden');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.deepEqual(said.at(-1).args, { ...values, seen: 'yes' });
  await page.getByLabel('lines').press('Shift+Enter');
  await page.getByLabel('day').focus();
  await page.keyboard.type('0231');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /day is no date/);
  await page.close();
}

/** What the server has refused is said where it is seen, and so is what an empty field sends. */
async function refused() {
  const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'array', items: { type: 'string' }, default: ['🛫'] }]));
  const { page } = await load('form', { ...content, schema: { type: 'object', properties: { day: { type: 'string', format: 'date', default: '2026-06-01' }, ...properties } }, error: 'p3: is missing' });
  const { y, height } = await page.locator('#error', { hasText: 'p3: is missing' }).boundingBox();
  assert.ok(y > 0 && y + height <= page.viewportSize().height, `what is wrong is out of sight at ${y}`);
  assert.match(await page.locator('[data-name=day] .hint').innerText(), /else 2026-06-01/);
  assert.match(await page.locator('[data-name=p3] .hint').innerText(), /else \["🛫"\]/);
  await page.close();
}

/** A text that has to be given can be an empty one, and a field of several types keeps the one of its value. */
async function empty() {
  const properties = { note: { type: 'string' }, code: { type: 'string', minLength: 1 }, either: { type: ['string', 'integer', 'null'] }, big: { type: ['string', 'number'] } };
  const { page, said } = await load('form', { ...content, schema: { type: 'object', required: ['note', 'code', 'either'], properties }, values: { big: '\uE0009007199254740993', either: '5', code: 'x' } });
  await page.getByLabel('note').press('Enter');
  assert.match(await page.locator('#error').innerText(), /note is required/);
  await page.getByRole('button', { name: 'Leave It Empty' }).click();
  assert.equal(stringify(said.at(-1).args), '{"note":"","code":"x","either":"5","big":9007199254740993}');
  await page.getByRole('combobox', { name: 'either' }).selectOption('integer');
  await page.getByLabel('the integer').fill('5');
  await page.getByLabel('code').fill('');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /code is required/);
  assert.equal(await page.getByRole('button', { name: 'Leave It Empty' }).count(), 0);
  await page.getByLabel('code').fill('y');
  assert.deepEqual(await unnamed(page), []);
  await page.getByRole('button', { name: 'Run' }).click();
  assert.equal(stringify(said.at(-1).args), '{"note":"","code":"y","either":5,"big":9007199254740993}');
  await page.close();
}

/** An optional text with a default: left alone the default is sent, and an empty one where that is said. */
async function emptied() {
  const more = { type: 'object', properties: { units: { type: 'string', default: 'celsius' }, sign: { type: 'string', default: '°' }, note: { type: 'string' }, count: { type: 'integer' }, on: { type: 'string', format: 'date' }, tags: { type: 'array', items: { type: 'string' }, default: ['🛫'] } } };
  const sent = async (values, act) => {
    const { page, said } = await load('form', { ...content, more, values });
    const open = page.locator('details');
    await open.evaluate((details) => (details.open = true));
    assert.deepEqual(await unnamed(page), []);
    await act(page);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.close();
    return stringify(said.at(-1).args);
  };
  const box = (page) => page.getByRole('checkbox', { name: 'Send an empty text units' });
  assert.equal(await sent({}, () => undefined), '{}');
  assert.equal(await sent({ units: 'kelvin' }, (page) => page.getByRole('textbox', { name: 'units' }).fill('')), '{}');
  const none = (page) => page.getByRole('checkbox', { name: 'Send an empty list tags' });
  assert.equal(await sent({ tags: ['a'] }, (page) => none(page).check()), '{"tags":[]}');
  assert.equal(await sent({ tags: [] }, (page) => page.getByRole('button', { name: 'Add' }).click().then(() => page.keyboard.type('b'))), '{"tags":["b"]}');
  assert.equal(await sent({ tags: [] }, (page) => none(page).uncheck()), '{}');
  const byKeys = async (page) => {
    await page.getByRole('textbox', { name: 'units' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
  };
  assert.equal(await sent({ units: 'kelvin' }, byKeys), '{"units":""}');
  assert.equal(await sent({ units: '' }, async (page) => assert.ok(await box(page).isChecked())), '{"units":""}');
  assert.equal(await sent({ units: '' }, (page) => box(page).uncheck()), '{}');
  const twice = (one) => one.check().then(() => one.uncheck());
  assert.equal(await sent({ units: 'kelvin', tags: ['a'] }, (page) => twice(box(page)).then(() => twice(none(page)))), '{"units":"kelvin","tags":["a"]}');
  assert.equal(await sent({ count: '', on: '' }, () => undefined), '{}'); // texts, when they were typed
  assert.equal(await sent({ units: '' }, (page) => page.getByRole('textbox', { name: 'units' }).fill('K')), '{"units":"K"}');
  assert.equal(await sent({}, async (page) => assert.equal(await page.getByRole('checkbox').count(), 3)), '{}'); // none without a default
}

/** What a schema demands is said, a password is not shown, and what is half typed comes back as it is. */
async function halfTyped() {
  const properties = {
    age: { type: 'integer', minimum: 1, maximum: 120 }, rate: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 }, code: { type: 'string', minLength: 2, maxLength: 8, pattern: '^[a-z]+$' },
    pin: { type: 'string', format: 'password', minLength: 4 }, tags: { type: 'array', items: { type: 'integer' }, maxItems: 3 }, least: { type: 'array', minItems: 1 }, any: {}, at: point,
  };
  const form = { ...content, schema: { type: 'object', required: ['age', 'at'], properties } };
  const { page, said } = await load('form', form);
  for (const [name, hint] of [['age', '1 to 120'], ['rate', 'more than 0 · a multiple of 0.5'], ['code', '2 to 8 characters · fits ^[a-z]+$'], ['pin', 'at least 4 characters'], ['tags', 'at most 3 items'], ['least', 'at least 1 item']]) {
    assert.ok((await page.locator(`[data-name=${name}] .hint`).first().innerText()).endsWith(hint), name);
  }
  assert.equal(await page.getByLabel('pin').getAttribute('type'), 'password');
  const tags = page.locator('[data-name=tags]');
  await tags.getByRole('button', { name: 'Add' }).click();
  assert.equal(said.at(-1).type, 'typed'); // and Escape asks before it is lost
  await page.keyboard.type('1e');
  await page.getByLabel('age').fill('x🛫');
  await page.getByLabel('any').fill('{"a": ');
  await page.locator('[data-name=at]').getByLabel('y').fill('2.');
  while (said.at(-1).args.at?.y === undefined) {
    await page.waitForTimeout(10); // what the page says comes later than it is typed
  }
  const { args } = said.at(-1);
  await page.close();
  const again = await load('form', { ...form, values: args, typed: true });
  const shown = () => Promise.all(['[data-name=age] input', 'textarea.json', '[role=listitem] input', '[data-name=y] input'].map((one) => again.page.locator(one).inputValue()));
  assert.deepEqual(await shown(), ['x🛫', '{"a": ', '1e', '2.']);
  await again.page.getByRole('button', { name: 'Run' }).click();
  assert.equal(await again.page.locator('#error').innerText(), 'age is no whole number.');
  await again.page.keyboard.press('Escape');
  await again.page.locator('#error', { hasText: 'what you typed is lost' }).waitFor();
  await again.page.close();
  // The tool may ask for something else by then: what is sent is what is seen.
  const { x } = point.properties;
  const others = { age: { type: 'string' }, tags: {}, any: { type: 'string' }, at: { type: 'object', properties: { x } }, rate: { type: ['string', 'boolean'] } };
  const other = await load('form', { ...form, schema: { type: 'object', properties: others }, values: { ...args, rate: '\uE0011' }, typed: true });
  await other.page.getByRole('button', { name: 'Run' }).click();
  assert.equal(stringify(other.said.at(-1).args), '{"age":"x🛫","tags":["1e"],"any":"{\\"a\\": ","at":{"y":"2."},"rate":"1"}');
  await other.page.close();
}

/** Names that objects have anyhow, null, what has no field, and lists: what is shown is what is sent. */
async function exactly() {
  const properties = {
    'a.b "c" 🛫': { type: 'string' }, constructor: { type: 'string' }, flag: { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, was: { type: 'integer' },
    at: point, map: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } }, tags: { type: 'array', items: { type: ['string', 'integer'] } },
    mail: { type: 'string', format: 'email' }, size: { type: ['integer', 'number'] }, gone: point,
  };
  const values = { flag: null, was: null, at: { x: 1, old: [2] }, tags: ['a', 5, 'c'], size: 1.5, gone: { x: 3 } };
  const { page, said } = await load('form', { ...content, schema: { type: 'object', required: ['none'], properties: { none: { type: ['number', 'null'] } } }, more: { properties }, values });
  const sent = async () => {
    await page.getByRole('button', { name: 'Run' }).click();
    return stringify(said.at(-1).args);
  };
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /none is required/);
  const none = page.locator('[data-name=none]').first();
  assert.match(await none.getByRole('textbox').getAttribute('aria-describedby'), /-hint error$/);
  await none.getByRole('checkbox', { name: 'Send null none' }).check();
  assert.ok(await none.getByRole('textbox').isHidden());
  await page.getByLabel('a.b "c" 🛫').fill('so');
  await page.getByLabel('mail').fill(' a@bücher.example');
  await page.locator('[data-name=map]').getByLabel('other properties').fill('{"n": 1.0, "__proto__": 2}');
  assert.deepEqual(await unnamed(page), []);
  assert.equal(await sent(), '{"none":null,"a.b \\"c\\" 🛫":"so","flag":null,"at":{"old":[2],"x":1},"map":{"n":1.0,"__proto__":2},"tags":["a",5,"c"],"mail":" a@bücher.example","size":1.5,"gone":{"x":3}}');
  assert.equal(await page.locator('[data-name=none] [aria-describedby$=error]').count(), 0);
  await page.locator('[data-name=at]').getByLabel('other properties').fill('');
  await page.locator('[data-name=gone]').getByLabel('x').fill('');
  await page.getByRole('button', { name: 'Remove item 1' }).press('Enter');
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Remove item 1');
  await page.locator('[data-name=map]').getByLabel('other properties').fill('5');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /map.other properties is no object/);
  await page.locator('[data-name=map]').getByLabel('other properties').fill('');
  assert.match(await sent(), /"at":{"x":1},"tags":\[5,"c"\],.*"size":1.5}$/);
  for (let i = 0; i < 2; i++) {
    await page.getByRole('button', { name: 'Remove item 1' }).press('Enter');
  }
  assert.equal(await page.locator(':focus').innerText(), 'Add');
  assert.doesNotMatch(await sent(), /tags/); // left out, as before it was given
  await page.getByRole('checkbox', { name: 'Send an empty list tags' }).check();
  assert.match(await sent(), /"tags":\[\]/);
  await page.close();
}

/** Schemas that all hold each other are drawn as far as a page can be, and a name need not be as in a URL. */
async function tangled() {
  const names = Array.from({ length: 9 }, (_, i) => `${i}00% 🛫`);
  const each = (make) => Object.fromEntries(names.map((name) => [name, make(name)]));
  const ref = (name) => ({ $ref: `#/$defs/${name}` });
  const { page, said } = await load('form', { ...content, schema: { $defs: each(() => ({ type: 'object', properties: each(ref) })), properties: { [names[8]]: ref(names[8]) } }, values: { [names[8]]: { [names[8]]: 1 } } });
  assert.ok((await page.locator('*').count()) < 10_000, 'all ways through it are drawn');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.equal(stringify(said.at(-1).args), stringify({ [names[8]]: { [names[8]]: 1 } }));
  await page.close();
}

/** What the server has refused of an argument is said of its field. */
async function blamed() {
  const points = { type: 'array', items: point };
  const { page } = await load('form', { ...content, schema: { type: 'object', required: ['points'], properties: { first: { type: 'string' }, points } }, values: { points: [{ x: 1 }, { x: 11 }] }, error: 'points[1].x: must be at most 10' });
  const blamed = page.locator('[aria-invalid=true]');
  assert.equal(await blamed.inputValue(), '11');
  assert.ok(await blamed.evaluate((control) => control === document.activeElement));
  assert.match(await blamed.getAttribute('aria-describedby'), /error$/);
  await page.close();
  for (const [error, field] of [['opt.in: missing property \'must\'', 'must'], ['map.deep[0]: got string', 'map'], ['first: no', 'first'], ['opted: no', undefined], ['no', undefined]]) {
    const opt = { type: 'object', properties: { in: { type: 'object', properties: { must: { type: 'string' } } } } };
    const { page } = await load('form', { ...content, schema: { type: 'object', properties: { first: { type: 'string' }, opt, map: { type: 'object' } } }, error });
    assert.equal(await page.locator('[aria-invalid=true]').count(), field ? 1 : 0, error);
    assert.equal(await page.evaluate(() => document.activeElement.closest('[data-name]').dataset.name), field ?? 'first', error);
    await page.close();
  }
}

/** Schemas that say by references and alternatives what a field is, and numbers as people type them. */
async function schemas() {
  const $defs = { Point: { type: 'object', properties: { x: { type: 'number' }, next: { $ref: '#/$defs/Point' } } }, 'a/b': { enum: ['p', null] } };
  const properties = {
    at: { $ref: '#/$defs/Point' }, way: { $ref: '#/$defs/a~1b' }, name: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    fixed: { const: 'so' }, one: { oneOf: [{ const: 1 }, { const: 2 }] }, all: { allOf: [{ type: 'object', properties: { z: { type: 'string' } } }, { required: ['z'] }] },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, lost: { $ref: 'https://example.com/schema' }, id: { type: 'number' },
  };
  const { page, said } = await load('form', { ...content, schema: { type: 'object', $defs, required: ['one'], properties } });
  await page.getByLabel('x', { exact: true }).fill('.5');
  await page.getByLabel('way').selectOption('null');
  await page.getByRole('textbox', { name: 'name' }).fill('Ada');
  await page.getByLabel('fixed').selectOption('so');
  await page.getByLabel('one').selectOption('2');
  await page.getByLabel('z').fill('deep');
  await page.getByRole('combobox', { name: 'either' }).selectOption('integer');
  await page.getByLabel('the integer').fill('x');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /either is no whole number/);
  await page.getByRole('combobox', { name: 'either' }).selectOption('string');
  await page.getByLabel('the string').fill('7');
  const id = page.getByLabel('id');
  for (const [typed, sent] of [['+5', '5'], ['007', '7'], ['-.50', '-0.50'], ['5.', '5'], ['1e3', '1e3'], ['-9007199254740993.10', '-9007199254740993.10']]) {
    await id.fill(typed);
    await id.press('Enter');
    assert.equal(stringify(said.at(-1).args.id), sent, typed);
  }
  assert.equal(stringify({ ...said.at(-1).args, id: 0 }), '{"at":{"x":0.5},"way":null,"name":"Ada","fixed":"so","one":2,"all":{"z":"deep"},"either":"7","id":0}');
  const submits = () => said.filter(({ type }) => type === 'submit').length;
  const sent = submits();
  for (const typed of ['0x10', 'Infinity', '1,5', '--1', '.', 'e5']) {
    await id.fill(typed);
    await id.press('Enter');
    assert.match(await page.locator('#error').innerText(), /id is no number/, typed);
  }
  assert.equal(submits(), sent);
  await page.close();
}

/** A run is saved as a case: which fields it expects, and how. */
async function savedCase() {
  const field = (path, value, given) => ({ path, type: typeof value, value, how: 'equal', pattern: '', ticked: true, ...given });
  const fields = [
    field('value.id', '\uE0009007199254740993', { type: 'number' }), field('value.tier', 'gold', { pattern: '^gold$' }), field('value.day', '2026-06-01', { how: 'matches', pattern: '^\\\\d{4}' }),
    field('value.at', 12, { how: 'type', ticked: false }), field('value.note', '<b id=bad>no</b>', { ticked: false }),
  ];
  const { page, said } = await load('case', { tool: 'shown', taken: ['first'], fields, failure: '' });
  assert.equal(await page.locator(':focus').getAttribute('id'), 'name');
  await page.getByLabel('Name').fill('first');
  await page.keyboard.press('Enter');
  await page.locator('#error', { hasText: 'shown has a case of that name.' }).waitFor();
  await page.getByLabel('Name').fill('second');
  await page.getByRole('checkbox', { name: 'value.day' }).uncheck();
  await page.getByLabel('How value.tier is compared').selectOption('matches');
  await page.getByRole('checkbox', { name: 'value.at' }).check();
  await page.getByLabel('What value.note is compared with').fill('"yes"');
  const id = page.getByLabel('What value.id is compared with');
  assert.equal(await id.inputValue(), '9007199254740993');
  await id.fill('900719925474099x');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#error', { hasText: 'What value.id is compared with is no JSON.' }).waitFor();
  await id.fill('9007199254740995');
  assert.deepEqual(await unnamed(page), []);
  assert.equal(await page.locator('#bad').count(), 0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForFunction(() => true);
  const { expect } = said.at(-1);
  assert.equal(stringify(expect), '[{"path":"value.id","how":"equal","value":9007199254740995},{"path":"value.tier","how":"matches"},{"path":"value.at","how":"type"},{"path":"value.note","how":"equal","value":"yes"}]');
  await tell(page, { error: 'the file is broken' });
  await page.locator('#error', { hasText: 'the file is broken' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => true);
  assert.deepEqual(said.at(-1), { type: 'cancel' });
  await tell(page, { tool: 'refused', taken: [], fields: [], failure: 'error.code == "http-404"' });
  await page.getByRole('checkbox', { name: 'Expect that it fails: error.code == "http-404"' }).press('Enter');
  await page.waitForFunction(() => true);
  assert.deepEqual(said.at(-1), { type: 'submit', name: '', expect: [], failure: true });
  await page.close();
}

/** The form shows what it would send, takes all arguments as JSON, and a value from an earlier result. */
async function formExtras() {
  const properties = { name: { type: 'string' }, id: { type: 'integer' }, pin: { type: 'string', format: 'password' }, at: point };
  const { page, said, previews } = await load('form', { ...content, schema: { type: 'object', required: ['name', 'id'], properties }, values: { id: '\uE0009007199254740993', pin: '1234' } });
  const preview = page.locator('.preview pre');
  await preview.getByText('name is required.').waitFor();
  assert.equal(await page.locator('#error').innerText(), ''); // nothing was submitted
  assert.equal(previews.length, 0);
  await page.getByLabel('name').fill('Ada');
  await until(() => previews.length > 0);
  assert.equal(stringify(previews.at(-1).args), '{"name":"Ada","id":9007199254740993,"pin":"1234"}');
  await tell(page, { preview: 'GET http://x/?q=<b id=bad>', reason: '' });
  await preview.getByText('GET http://x/?q=<b id=bad>').waitFor();
  assert.equal(await page.locator('#bad').count(), 0);
  await page.getByLabel('name').fill('');
  await preview.getByText('name is required.').waitFor();
  await tell(page, { preview: 'GET http://x/?q=late', reason: '' });
  await page.waitForFunction(() => true);
  assert.equal(await preview.innerText(), 'name is required.'); // not the answer to what was typed before
  await page.getByLabel('name').fill('Ada');
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Arguments' });
  assert.ok(await page.getByRole('button', { name: 'Fill from a Result' }).isDisabled());
  assert.equal(await json.inputValue(), '{\n  "name": "Ada",\n  "id": 9007199254740993\n}'); // without the secret one
  await json.fill('[1]');
  await page.getByRole('button', { name: 'Run' }).click();
  assert.match(await page.locator('#error').innerText(), /is no object/);
  await json.fill('{"name": "Bob", "id": 9007199254740995, "at": {"x": 1.50}, "more": [1e400]}');
  await json.press('Control+Enter');
  assert.equal(stringify(said.at(-1).args), '{"pin":"1234","name":"Bob","id":9007199254740995,"at":{"x":1.50},"more":[1e400]}');
  await page.getByRole('button', { name: 'Edit as Fields' }).click();
  assert.match(await page.locator('#error').innerText(), /no field for more/);
  await json.fill('{"name": "Bob", "id": 9007199254740995, "at": {"x": 1.50}}');
  await page.getByRole('button', { name: 'Edit as Fields' }).click();
  assert.deepEqual([await page.getByLabel('name').inputValue(), await page.locator('[data-name=id] input').inputValue(), await page.getByLabel('x').inputValue()], ['Bob', '9007199254740995', '1.50']);
  await page.getByLabel('x').focus();
  await page.getByRole('button', { name: 'Fill from a Result' }).click();
  assert.deepEqual(said.at(-1), { type: 'pick', name: 'at' });
  await tell(page, { picked: 'at', value: { x: 7, y: '\uE0008.50' } });
  await page.waitForFunction(() => document.querySelector('[data-name=y] input').value === '8.50');
  assert.deepEqual(await unnamed(page), []);
  await page.getByRole('button', { name: 'Run' }).click();
  assert.equal(stringify(said.at(-1).args.at), '{"x":7,"y":8.50}');
  await page.close();
}

/** No secret is shown as JSON, whatever form its schema has; all of them are sent. */
async function secretsAsJSON() {
  const password = { type: 'string', format: 'password' };
  const properties = { name: { type: 'string' }, maybe: { anyOf: [password, { type: 'null' }] }, creds: { type: 'object', properties: { user: { type: 'string' }, password } }, referred: { $ref: '#/$defs/key' } };
  const values = { name: 'Ada', maybe: 'hunter1', creds: { user: 'ada', password: 'hunter2' }, referred: 'hunter3', keys: ['hunter4'] };
  const schema = { type: 'object', $defs: { key: { type: 'string', writeOnly: true } }, properties };
  const { page, said } = await load('form', { ...content, schema, more: { type: 'object', properties: { keys: { type: 'array', items: password } } }, values });
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Arguments' }).inputValue(), '{\n  "name": "Ada"\n}');
  await page.getByRole('button', { name: 'Run' }).click();
  await until(() => said.at(-1)?.type === 'submit');
  assert.deepEqual(said.at(-1).args, values);
  await page.close();
}

/** Arguments that were typed as JSON and refused are JSON again, with what no field can show. */
async function refusedAsJSON() {
  const properties = { city: { type: 'string' }, mode: { enum: ['fast', 'slow'] } };
  const values = { city: 'Rome', mode: 'warp', cuont: 5 };
  const { page, said, previews } = await load('form', { ...content, schema: { type: 'object', properties }, values, error: 'mode: must be one of fast, slow, not "warp"', json: true });
  const text = page.getByRole('textbox', { name: 'Arguments' });
  assert.deepEqual(JSON.parse(await text.inputValue()), values);
  assert.match(await page.locator('#error').innerText(), /^mode: must be/);
  await page.locator('textarea:focus').waitFor();
  assert.equal(await page.evaluate(() => getSelection().toString()), ''); // a key replaces nothing
  await until(() => previews.at(-1)?.args.cuont === 5);
  await text.fill('{"city": "Rome"}');
  await until(() => said.at(-1)?.type === 'typed');
  assert.deepEqual(said.at(-1), { type: 'typed', args: { city: 'Rome' }, json: true });
  await page.getByRole('button', { name: 'Edit as Fields' }).click();
  assert.equal(await page.getByLabel('city').inputValue(), 'Rome');
  await page.getByRole('button', { name: 'Run' }).click();
  await until(() => said.at(-1)?.type === 'submit');
  assert.deepEqual(said.at(-1), { type: 'submit', args: { city: 'Rome' }, json: false });
  await page.close();
}

/** The question of a server: what need not be answered is there too, and nothing is called. */
async function question() {
  const asked = { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Name' } } };
  const others = { properties: { kind: { type: 'string', oneOf: [{ const: 'a', title: 'The first' }, { const: 'b', title: 'The second' }] }, sure: { type: 'boolean', default: true } } };
  const { page, said, previews } = await load('form', { ...content, tool: 'everything', description: 'Who are you? 🧭', schema: asked, more: others, values: { sure: true }, doing: 'Answer', question: true });
  await page.getByText('Who are you? 🧭').waitFor();
  assert.deepEqual(await unnamed(page), []);
  await page.getByLabel('name').fill('Ada');
  await page.getByLabel('kind').selectOption('b');
  await page.getByRole('button', { name: 'Answer' }).click();
  assert.deepEqual(said.at(-1), { type: 'submit', args: { name: 'Ada', kind: 'b', sure: true }, json: false });
  await page.getByRole('button', { name: 'Decline' }).click();
  assert.equal(said.at(-1).type, 'cancel');
  assert.equal(await page.getByText('What It Would Send').count(), 0);
  assert.deepEqual(previews, []);
  await page.close();
}

/** until waits for something to be true. */
async function until(look) {
  while (!look()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

await runAll(form, question, kept, refused, empty, emptied, halfTyped, exactly, blamed, schemas, tangled, savedCase, formExtras, secretsAsJSON, refusedAsJSON);
