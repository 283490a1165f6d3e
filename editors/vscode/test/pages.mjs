// The pages of the web views, without VS Code around them: every kind of field, every
// kind of value, and names for who cannot see them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { flags } from './browser.mjs';

const { stringify } = await import(`${process.env.ABL_TEST_OUT}/exact.mjs`);
const browser = await chromium.launch({ executablePath: process.env.ABL_TEST_CHROMIUM, args: flags });

/** load opens a page of the extension, with its policy, and gives it a message. */
async function load(name, message) {
  const page = await browser.newPage();
  const said = [];
  page.on('pageerror', (error) => assert.fail(error));
  page.on('console', (line) => assert.doesNotMatch(line.text(), /Content Security Policy/));
  const previews = [];
  await page.exposeFunction('said', (text) => {
    const message = JSON.parse(text);
    (message.type === 'preview' ? previews : said).push(message); // previews come at any time
  });
  await page.addInitScript(() => {
    window.acquireVsCodeApi = () => ({ setState: () => undefined, getState: () => undefined, postMessage: (message) => window.said(JSON.stringify(message)) });
  });
  await page.route('**/*', (route) => serve(route, name));
  await page.goto(origin);
  await page.evaluate((content) => window.postMessage(content), message);
  await page.locator('h1').waitFor();
  return { page, said, previews };
}

const origin = 'http://pages.test/';
const policy = `default-src 'none'; img-src data:; style-src ${origin}; script-src 'nonce-n'`; // as src/panel.ts has it

/** serve answers as VS Code does for a panel. */
function serve(route, name) {
  const file = new URL(route.request().url()).pathname.slice(1);
  if (file) {
    return route.fulfill({ path: path.join(process.env.ABL_TEST_EXTENSION, file) });
  }
  const styles = ['common', name].map((style) => `<link rel="stylesheet" href="media/${style}.css">`).join('');
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">${styles}`;
  return route.fulfill({ contentType: 'text/html', body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main id="main"></main><script nonce="n" src="dist/${name}.js"></script></body></html>` });
}

/** tell sends a page one more message. */
const tell = (page, message) => page.evaluate((content) => window.postMessage(content), message);

/** tellMade sends a result whose parts a function makes in the page: a large one takes seconds on its way there. */
const tellMade = (page, make) => page.evaluate(`window.postMessage({ ...${JSON.stringify(shown({}))}, envelope: { ...${JSON.stringify(envelope)}, ...(${make})() } })`);

/** tab chooses a view of a result. */
const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();

/** unnamed are the controls that a screen reader has no name for. */
function unnamed(page) {
  return page.locator('input, select, textarea, button, img').evaluateAll((all) =>
    all.filter((e) => !(e.labels?.length || e.getAttribute('aria-label') || e.getAttribute('alt') || e.textContent?.trim())).map((e) => e.outerHTML),
  );
}

const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] };
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

const content = { tool: 'everything', description: 'Has it all', schema: { type: 'object' }, more: { type: 'object' }, values: {}, error: '', doing: 'Run', typed: false };

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

const envelope = {
  run: 'r', ok: true, tool: 'shown', kind: 'http', value: null, text: '', content_type: '', render: null, set: null, error: null, needs: null,
  warnings: null, attempts: null, request: null, console: '', breaker: null, verified: null, cached: false, truncated: null, duration_ms: 12,
};
const hint = (kind) => ({ kind, component: 'Card', props: {} });
const rows = [{ city: 'Rome', high: 21 }, { city: 'Oslo', high: 12 }];
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const fault = { kind: 'remote', code: 'x', message: 'It said no.' };
const values = [
  ['rows are a table', { value: rows }, 'table td:text("Oslo")'],
  ['a table', { value: rows, render: hint('table') }, 'th[scope=col]:text("high")'],
  ['columns and rows', { value: { columns: ['city', 'high'], rows: [['🧭', 4], { high: 5, city: 'Bergen' }] } }, 'table:has(th:text("city") + th:text("high")):has(td:text("🧭") + td:text("4")) td:text("Bergen") + td:text("5")'],
  ['columns and more than rows', { value: { columns: ['city'], rows: [['Oslo']], next: 2 }, render: hint('table') }, ':text("next")'],
  ['a table whose columns have odd names', { value: [{ a: 1, constructor: 2, toString: 3 }, { a: 4 }], render: hint('table') }, 'tr:has(td:text("4") + td:empty + td:empty)'],
  ['a table with nothing in it', { value: [{ a: null, b: 'null', c: '' }, { d: 1 }], render: hint('table') }, 'tr:has(td.none:text("null") + td:not(.none):text("null") + td:empty + td:empty)'],
  ['a chart', { value: rows, render: hint('chart') }, 'tr:has(th:text("Rome")):has(meter):has(td:text("21"))'],
  ['a chart of what is no id', { value: [{ id: 7, city: 'Rome', high: 21 }], render: hint('chart') }, 'tr:has(th:text("Rome")):has(td:text("21"))'],
  ['a chart of numbers as written', { value: [{ n: 'big', v: '\uE0009007199254740993' }, { n: 'far', v: '\uE0001e400' }, { n: 'none', v: null }], render: hint('chart') }, 'div:has(td:text("9007199254740993")):has(td:text("1e400"))'],
  ['a chart of rows without a text', { value: [{ high: 21 }, { high: 12 }], render: hint('chart') }, 'tr:has(th:text("2")):has(td:text("12"))'],
  ['an empty text', { value: '', render: hint('text') }, '#value:has-text("An empty text.")'],
  ['rows of which each has columns of its own', { value: Array.from({ length: 1000 }, (_, i) => ({ [`a${i}`]: 1, [`b${i}`]: 2 })) }, '[role=tree] .row:has-text("0: {2}")'],
  ['rows of few columns each', { value: Array.from({ length: 100 }, (_, i) => ({ [`a${i}`]: 1 })) }, '[role=tree] .row:has-text("0: {1}")'],
  ['a text', { value: 'so', render: hint('text') }, '.text :text("so")'],
  ['a long text', { value: `first\n${'\n'.repeat(100_000)}last` }, '#value pre:has-text("first") .piece'],
  ['code', { value: 'x = 1', render: hint('code') }, 'pre.code :text("x = 1")'],
  ['a tree', { value: { deep: { list: [1] } }, render: hint('json') }, '[role=tree] .row[aria-expanded=false]:has-text("list")'],
  ['a component', { value: { a: 1 }, render: hint('react') }, '#value:has-text("Card") .leaf:has-text("a: 1")'],
  ['a component with props', { value: rows, render: { ...hint('react'), props: { title: 'Days' } } }, '#value:has(.leaf:has-text("Oslo")) .leaf:has-text("title")'],
  ['the rows of a component', { value: rows, render: hint('react') }, 'td:text("Oslo")', 'Table'],
  ['the rows of a chart', { value: rows, render: hint('chart') }, 'td:text("Oslo")', 'Table'],
  ['an image', { value: pixel, content_type: 'image/png' }, `img[src^="data:image/png"]`],
  ['an image of SVG', { value: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>window.bad = 1</script></svg>', content_type: 'image/svg+xml' }, 'img[src^="data:image/svg+xml"]'],
  ['an image of MCP', { value: { type: 'image', mimeType: 'image/png', data: pixel } }, 'img[alt]'],
  ['words beside an image of MCP', { value: [{ type: 'text', text: 'a pixel' }, { type: 'image', mimeType: 'image/png', data: pixel }] }, '#value:has(img[alt]) pre:text("a pixel")'],
  ['two images of MCP', { value: [1, 2].map(() => ({ type: 'image', mimeType: 'image/png', data: pixel })) }, 'img + img'],
  ['a number as written', { value: '\uE00010.50' }, '.number:text("10.50")'],
  ['bytes', { value: 'JVBERgD/', encoding: 'base64', content_type: 'application/pdf' }, '.shown:has(#value:has-text("6 bytes of application/pdf")) .buttons button:text("Save as File")'],
  ['nothing of HTML', { value: '<b id=bad>no</b>', render: hint('text') }, '.text:has-text("<b id=bad>")'],
  ['a failure', { ok: false, error: { kind: 'remote', code: 'x', message: 'It said no.', hint: 'Ask again.' } }, '[role=alert]:has-text("Ask again.")'],
  ['a run that was cancelled', { ok: false, error: { kind: 'timeout', code: 'cancelled', message: 'cancelled' } }, '#status:text("⊘ Cancelled · 12 ms"):not(.failed)'],
  ['a run that was refused', { ok: false, error: { ...fault, kind: 'denied' } }, '#status:text("⊘ Refused · 12 ms"):not(.failed)'],
  ['what a refusal says', { ok: false, error: { ...fault, details: { status: 422, body: '{"field": "city", "n": 10.50}' } } }, '.shown:has([role=tab]:text("Answer as Tree")) .leaf:has-text("n: 10.50")'],
  ['a refusal in words', { ok: false, error: { ...fault, details: { status: 500, body: '<b id=bad>no</b>' } } }, 'pre :text("<b id=bad>no</b>")'],
  ['where it failed', { ok: false, error: { ...fault, details: { line: 7, stack: 'at f\nat g' } } }, 'pre:has-text("line: 7"):has-text("stack:"):has-text("at f")', 'Details of the Failure'],
  ['the line that failed, to go to', { ok: false, error: { ...fault, details: { file: '/a.tools.abl', line: 7 } } }, '.buttons button:text("Go to Line 7")'],
  ['a warning', { warnings: ['mind the gap'] }, '.warning:text("mind the gap")'],
  ['session variables', { set: { 'user.name': 'Ada' } }, '.leaf:has-text(\'user.name: "Ada"\')', 'Session variables'],
  ['attempts', { attempts: [{ started: 'then', duration_ms: 1.25, status: 503, error: 'busy' }] }, 'td:text("503")', 'Timing'],
  ['the console', { console: 'printed' }, 'pre :text("printed")', 'Console'],
  ['a tree of what would turn it around', { value: { 'n\u202ea': 'v\u2066b' } }, '.leaf:has-text("u202ea:"):has-text("u2066b")'],
  ['the request', { request: { url: 'http://x' } }, '.leaf:has-text("http://x")', 'Request'],
  ['a verified value', { verified: true, cached: true }, '#status:has-text("from the cache · verified")'],
];

const shown = (given) => ({ type: 'show', envelope: { ...envelope, ...given }, preview: false, comparable: true, rerunnable: true, pinned: false });

async function results() {
  const { page } = await load('result', shown({}));
  for (const [name, given, selector, view] of values) {
    await tell(page, shown({ tool: name, ...given }));
    await page.getByRole('heading', { name, exact: true }).waitFor();
    if (view) {
      await tab(page, view);
    }
    await page.locator(selector).first().waitFor({ timeout: 5000 }).catch(async () => assert.fail(`${name}: ${await page.locator('main').innerHTML()}`));
    assert.equal(await page.locator('#bad').count(), 0);
    assert.equal(await page.evaluate(() => window.bad), undefined);
    assert.deepEqual(await unnamed(page), [], name);
  }
  await tell(page, shown({ tool: 'lines', value: 'one\n  two', render: hint('text') }));
  await page.getByRole('heading', { name: 'lines', exact: true }).waitFor();
  assert.equal(await page.locator('.text').innerText(), 'one\n  two'); // lines stay lines
  await page.close();
}

/** In a panel of a few words' width nothing is cut off, and a page goes down, not aside. */
async function narrow() {
  const word = 'withoutaspace'.repeat(20);
  const request = { url: `http://x/${word}`, [word]: word };
  const fault = { kind: 'remote', code: 'x', message: word, hint: word, details: { body: `{"${word}": 1}`, stack: `a\n${word}` } };
  const attempts = [{ started: '2026-06-01T10:00:00.123456Z', duration_ms: 1, status: 503, error: word }];
  const properties = { [word]: { type: 'string', description: word }, points: { type: 'array', items: point } };
  for (const [name, message] of [
    ['form', { ...content, tool: word, schema: { type: 'object', properties }, values: { points: [{ x: 1, [word]: word }] }, error: `${word}: is wrong` }],
    ['result', shown({ tool: word, value: [{ n: word, v: 1 }], render: hint('chart'), warnings: [word], request, attempts, error: fault, ok: false })],
    ['result', shown({ value: request, set: request, console: word })],
  ]) {
    const { page } = await load(name, message);
    await page.setViewportSize({ width: 320, height: 600 });
    await page.locator('details').evaluateAll((all) => all.forEach((one) => (one.open = true)));
    for (const view of await page.getByRole('tab').all()) {
      await view.click();
      assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth), `${name}, ${await view.innerText()}, is wider than its panel`);
    }
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth), `${name} is wider than its panel`);
    await page.close();
  }
}

/** A tree is one stop of the keyboard, and its arrows go through it. */
async function byKeys() {
  const { page, said } = await load('result', shown({ value: { a: { b: [1, { c: 2 }] }, d: {}, e: 'end' } }));
  const at = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent);
  await page.getByRole('tree').focus();
  const way = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowDown', 'End', 'Home', 'Enter', 'ArrowDown']) {
    way.push(await at());
    await page.keyboard.press(key);
  }
  assert.deepEqual(way, ['{3}', 'a: {1}', 'b: [2]', 'b: [2]', '0: 1', '1: {1}', 'b: [2]', 'b: [2]', 'd: {}', 'e: "end"', '{3}', '{3}']);
  assert.equal(await at(), '{3}'); // which is closed
  await page.keyboard.press('Enter');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key);
  }
  await page.keyboard.press('Control+Shift+C');
  await page.keyboard.press('Control+C');
  await page.waitForFunction(() => true);
  assert.deepEqual(said.slice(-2), [{ type: 'copy', text: 'value.a.b[1]', what: 'the path' }, { type: 'copy', text: '{\n  "c": 2\n}', what: 'the value' }]);
  await page.getByRole('tab', { name: 'Tree' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('[role=tab]:focus[aria-selected=true]').innerText(), 'Raw');
  assert.equal(await page.locator('#value pre').innerText(), '{\n  "a": {\n    "b": [\n      1,\n      {\n        "c": 2\n      }\n    ]\n  },\n  "d": {},\n  "e": "end"\n}');
  await page.keyboard.press('End');
  assert.equal(await page.locator('[role=tab]:focus').innerText(), 'Raw');
  await page.keyboard.press('Home');
  assert.equal(await page.locator('[role=tab]:focus').innerText(), 'Tree');
  await page.close();
}

/** Long values, as the page makes them. */
const longValues = [
  [() => ({ value: Array.from({ length: 300 }, (_, i) => Object.fromEntries(Array.from({ length: 90 }, (_, j) => [`k${i}_${j}`, j]))) }), '299: {90}'],
  [() => ({ value: { one: Array.from({ length: 20_000 }, (_, i) => ({ id: i, deep: { list: [i, 'x'.repeat(20)] } })) } })],
  [() => ({ value: Array.from({ length: 20_000 }, (_, i) => i), render: { kind: 'json' } }), '19999: 19999'],
  [() => ({ value: Array.from({ length: 400_000 }, (_, i) => i), render: { kind: 'chart' } })],
  [() => ({ value: 'line\n'.repeat(1_000_000) })],
];

const manyRows = () => ({
  tool: 'many',
  value: Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `name ${i}`, amount: `\uE000${i % 7}.50`, note: i % 1000 === 999 ? `=cmd${i}` : 'x'.repeat(300), when: i % 3 ? '2026-06-01' : null })),
  response: { status: 200, bytes: 14_200, headers: { 'x-found': 'here' }, raw: `<b id=bad>\n${'line\n'.repeat(50_000)}the needle` },
});

/** Long values are drawn as far as they are looked at: of millions of elements no page comes back. The head stays visible. */
async function long() {
  const { page } = await load('result', shown({}));
  for (const [made, last] of [...longValues, [manyRows]]) {
    await tellMade(page, made);
    await page.locator('#value .scroller').evaluate((area) => area.scrollTo(0, 1e9));
    const { y } = await page.locator('#status').boundingBox();
    assert.ok(y >= 0 && y < 100, `the status is out of sight: ${y}`);
    assert.ok(await page.getByRole('button', { name: 'Run Again' }).isVisible());
    if (last) {
      await page.getByText(last, { exact: true }).waitFor();
    }
    assert.ok((await page.locator('[role=row], [role=treeitem]').count()) <= 500, 'too many rows are in the page');
    assert.ok((await page.locator('*').count()) < 5000, 'all of it is drawn');
  }
  await page.close();
}

/** A table is sorted, filtered, made wider, copied and saved. */
async function tableView() {
  const { page, said } = await load('result', shown({}));
  const took = await page.evaluate(`(async () => {
    const message = { ...${JSON.stringify(shown({}))}, envelope: { ...${JSON.stringify(envelope)}, ...(${manyRows})() } };
    const start = performance.now();
    window.postMessage(message);
    while (!document.querySelector('[role=gridcell]')) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
  })()`);
  console.log(`20,000 rows are shown after ${Math.round(took)} ms`);
  const column = (name) => page.locator(`td:nth-child(${1 + ['id', 'name', 'amount', 'note', 'when'].indexOf(name)})`);
  const header = (name) => page.getByRole('columnheader', { name, exact: true });
  await header('amount').click();
  assert.deepEqual([await column('amount').first().innerText(), await header('amount').getAttribute('aria-sort')], ['0.50', 'ascending']);
  await header('amount').click();
  assert.equal(await column('amount').first().innerText(), '6.50');
  await header('amount').click();
  assert.equal(await header('amount').getAttribute('aria-sort'), null);
  await header('when').click();
  assert.equal(await column('when').first().innerText(), '2026-06-01');
  await header('when').click();
  assert.equal(await column('when').first().innerText(), '2026-06-01'); // null stays last
  await header('when').click();
  const cut = column('note').first();
  assert.equal(await cut.getAttribute('title'), 'x'.repeat(300));
  assert.ok(await cut.evaluate((cell) => cell.scrollWidth > cell.clientWidth), 'a long cell is not cut');
  const before = await header('name').evaluate((head) => head.offsetWidth);
  const box = await header('name').boundingBox();
  await page.mouse.move(box.x + box.width - 3, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 97, box.y + 10);
  await page.mouse.up();
  assert.ok(Math.abs((await column('name').first().evaluate((cell) => cell.offsetWidth)) - before - 100) <= 3, 'a column is not dragged');
  assert.equal(await header('name').getAttribute('aria-sort'), null, 'a drag has sorted');
  await page.getByLabel('Filter the rows').fill('=CMD');
  await page.getByText('20 of 20000 rows').waitFor();
  assert.equal(await column('name').first().innerText(), 'name 999');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await page.getByRole('gridcell', { name: 'name 1999', exact: true }).click();
  await page.getByRole('button', { name: 'Copy Column' }).click();
  await page.getByRole('button', { name: 'Copy Path' }).click();
  await page.getByRole('button', { name: 'Copy Value' }).click();
  await page.waitForFunction(() => true);
  const [saved, ...copied] = said.filter(({ type }) => type === 'copy' || type === 'write');
  assert.equal(saved.suffix, 'csv');
  assert.equal(saved.text.split('\r\n')[0], 'id,name,amount,note,when');
  assert.equal(saved.text.split('\r\n')[1], '999,name 999,5.50,"\'=cmd999",');
  assert.deepEqual(copied.map(({ text }) => text.split('\n')[1] ?? text), ['name 1999', 'value[1999].name', 'name 1999']);
  const grid = page.getByRole('grid');
  await grid.focus();
  for (const key of ['Control+Home', 'ArrowUp', 'ArrowRight', 'Enter', 'Shift+ArrowRight', 'ArrowDown', 'Control+C']) {
    await page.keyboard.press(key);
  }
  assert.equal(await header('name').getAttribute('aria-sort'), 'ascending');
  assert.equal(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent), 'name 999');
  assert.deepEqual(await unnamed(page), []);
  await page.close();
}

/** Ctrl+F finds in each view, also what is not drawn yet. */
async function finds() {
  const { page } = await load('result', shown({}));
  await tellMade(page, manyRows);
  await page.getByRole('grid').waitFor();
  assert.equal(await page.locator('#status').innerText(), '✓ Succeeded · 200 · 14.2 kB · 12 ms');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+F');
  const count = page.locator('.find .count');
  const look = async (text, said) => {
    await page.getByLabel('Find', { exact: true }).fill(text);
    await page.locator('.find .count', { hasText: said }).waitFor();
  };
  await look('NAME 1999', '1 of 11'); // 1999, and 19990 to 19999
  await page.getByRole('gridcell', { name: 'name 1999', exact: true }).waitFor();
  await page.keyboard.press('Shift+Enter');
  await page.getByRole('gridcell', { name: 'name 19999', exact: true }).waitFor();
  assert.equal(await count.innerText(), '11 of 11');
  await page.getByRole('button', { name: 'Next match' }).click();
  assert.equal(await count.innerText(), '1 of 11');
  await look('never there', 'no results');
  await tab(page, 'Tree');
  await look('name 19998', '1 of 1');
  await page.locator('[role=treeitem].match.active', { hasText: 'name: "name 19998"' }).waitFor();
  await tab(page, 'Raw');
  await look('needle', '1 of 1');
  assert.ok(await page.evaluate(() => {
    const [range] = CSS.highlights.get('current');
    const [line, area] = [range.getBoundingClientRect(), document.querySelector('#value pre').getBoundingClientRect()];
    return line.height > 0 && line.top >= area.top && line.bottom <= area.bottom;
  }), 'what is found in a text is out of sight');
  assert.equal(await page.locator('#bad').count(), 0);
  await tab(page, 'Headers');
  await look('here', '1 of 1');
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('.find').isHidden());
  assert.ok(await page.locator('[role=tree]:focus').count(), 'the keyboard is nowhere');
  assert.deepEqual(await unnamed(page), []);
  await page.close();
}

/** The attempts with the phases of their time, in local time. */
async function timings() {
  const phases = [{ name: 'dns', start_ms: 0.1, duration_ms: 2.4 }, { name: 'first-byte', start_ms: 2.5, duration_ms: 14_676 }];
  const attempts = [{ started: '2026-06-01T10:00:00Z', duration_ms: 14_680, status: 200, error: '', phases }];
  const { page } = await load('result', shown({ duration_ms: 14_676, attempts }));
  assert.match(await page.locator('#status').innerText(), /14\.7 s$/);
  await tab(page, 'Timing');
  const text = await page.locator('#value').innerText();
  assert.match(text, /First byte\s+\+2\.5 ms\s+14\.7 s/);
  assert.ok(text.includes(await page.evaluate(() => new Date('2026-06-01T10:00:00Z').toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }))));
  const [dns, first] = await page.locator('.bar').evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()));
  assert.ok(dns.width < first.width && first.left > dns.left, 'the bars do not follow each other');
  await page.close();
}

/** The output of two runs at once, and the end of one that has no result. */
async function streams() {
  const { page } = await load('result', { type: 'output', tool: 'first', token: 'a', chunk: 'one ' });
  for (const message of [
    { type: 'output', tool: 'second', token: 'b', chunk: '<b id=bad>two</b>' }, { type: 'output', tool: 'first', token: 'a', chunk: 'three' }, { type: 'ended', token: 'a', stopped: true },
  ]) {
    await page.evaluate((content) => window.postMessage(content), message);
  }
  await page.locator('p', { hasText: 'Stopped: it has no result.' }).waitFor();
  assert.equal(await page.locator('#a').innerText(), 'one three');
  assert.equal(await page.locator('#b').innerText(), '<b id=bad>two</b>');
  await page.evaluate((content) => window.postMessage(content), shown({ tool: 'first', ok: false, value: null, error: { kind: 'timeout', code: 'cancelled', message: 'It was cancelled.' } }));
  await page.locator('pre', { hasText: 'one three' }).waitFor(); // of the run that was stopped
  for (const message of [{ type: 'output', tool: 'second', token: 'b', chunk: ' four' }, shown({ tool: 'third', value: 'other' }), { type: 'output', tool: 'second', token: 'b', chunk: ' five' }]) {
    await page.evaluate((content) => window.postMessage(content), message);
  }
  await page.getByText('other').waitFor();
  assert.equal(await page.locator('#b').innerText(), '<b id=bad>two</b> four five'); // it goes on below another's result
  for (const message of [{ type: 'ended', token: 'b', stopped: false }, shown({ tool: 'second', value: 'all of it' })]) {
    await page.evaluate((content) => window.postMessage(content), message);
  }
  await page.getByText('all of it').waitFor();
  await page.evaluate((content) => window.postMessage(content), { type: 'output', tool: 'fourth', token: 'c', chunk: 'begun' });
  await page.getByText('begun').waitFor();
  assert.ok(await page.getByText('all of it').isVisible(), 'a run of the Test Explorer has taken the place of a result');
  assert.equal(await page.locator('#b').count(), 0);
  await page.evaluate((content) => window.postMessage(content), { ...shown({ value: { method: 'GET' }, request: { method: 'GET' } }), preview: true });
  await page.locator('#status', { hasText: 'this would be sent, and was not' }).waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await page.close();
}

/** While a run goes on, its time and Cancel take the place of the result before. */
async function elapsed() {
  const { page, said } = await load('result', shown({ value: 'old' }));
  await page.getByRole('button', { name: 'Run Again' }).focus();
  await tell(page, { type: 'running', tool: 'slow', token: 'a', since: Date.now() - 14_700 });
  await page.getByText(/^14\.[7-9] s$|^15\.\d s$/).waitFor();
  assert.ok(await page.getByText('old').isHidden(), 'the old result passes for the new one');
  assert.ok(await page.locator('section:focus').count()); // Enter does not cancel
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForFunction(() => true);
  assert.deepEqual(said.at(-1), { type: 'cancel', token: 'a' });
  await tell(page, { type: 'ended', token: 'a', stopped: true });
  await page.getByText(/^Stopped after 1\d\.\d s: it has no result\./).waitFor();
  assert.ok(await page.getByText('old').isHidden());
  await page.getByRole('button', { name: 'Show the Result Before' }).click();
  await page.getByText('old').waitFor();
  await tell(page, { type: 'running', tool: 'asks', token: 'b', since: Date.now() });
  await tell(page, { type: 'ended', token: 'b', stopped: false }); // a question comes
  await page.getByText('old').waitFor();
  await page.getByRole('button', { name: 'Run Again' }).focus();
  await tell(page, { type: 'running', tool: 'slow', token: 'c', since: Date.now() });
  await tell(page, { type: 'ended', token: 'c', stopped: false });
  await tell(page, shown({ value: 'new' }));
  await page.getByText('new').waitFor();
  assert.equal(await page.locator(':focus').innerText(), 'Run Again');
  await page.getByRole('button', { name: 'Pin' }).click();
  await page.waitForFunction(() => true);
  assert.deepEqual(said.at(-1), { type: 'pin', pinned: true });
  assert.equal(await page.locator('section').count(), 0);
  await page.close();
}

/** The runs of the journal over time: each a point that opens it, a run that only asked none. */
async function plot() {
  const run = (i, given) => ({ run: `r${i}`, tool: i % 2 ? 'slow' : 'quick', time: `2026-06-01T10:${10 + i}:00Z`, duration_ms: i % 2 ? 14_000 + i : 120 + i, ending: i % 5 ? 'succeeded' : 'failed', message: i % 5 ? '' : '<b id=bad>no</b>', ...given });
  const runs = [run(40, { ending: 'did not run' }), ...Array.from({ length: 30 }, (_, i) => run(30 - i))];
  const { page, said } = await load('plot', { runs });
  assert.equal(await page.locator('.point').count(), 30);
  assert.equal(await page.locator('.point path').count(), 6);
  assert.equal(await page.locator('#bad').count(), 0);
  assert.match(await page.locator('tr', { hasText: 'slow' }).innerText(), /slow\s+15\s+3\s+14\.0 s\s+14\.0 s\s+14\.0 s/);
  await page.locator('.point').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('.point').last().click();
  await page.waitForFunction(() => true);
  assert.deepEqual(said.slice(-2), [{ type: 'open', run: 'r2' }, { type: 'open', run: 'r30' }]);
  await page.getByLabel('Tool', { exact: true }).selectOption('quick');
  assert.equal(await page.locator('.point').count(), 15);
  await tell(page, { runs: [] });
  await page.getByText('Nothing has been run yet.').waitFor();
  assert.deepEqual(await unnamed(page), []);
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
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Arguments' });
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

/** until waits for something to be true. */
async function until(look) {
  while (!look()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** again shows a result anew: the keyboard stays where it was, and a screen reader is told. */
async function again() {
  const show = (one) => shown(one);
  const { page, said } = await load('result', show({}));
  await page.locator('body > [role=status]').evaluate((told) => (window.told = told));
  await page.getByRole('button', { name: 'Run Again' }).press('Enter');
  assert.deepEqual(said.at(-1), { type: 'do', command: 'again' });
  await page.evaluate((content) => window.postMessage(content), show({ duration_ms: 34 }));
  await page.getByText('✓ Succeeded · 34 ms', { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => window.told.textContent), 'shown: ✓ Succeeded · 34 ms');
  assert.equal(await page.locator(':focus').innerText(), 'Run Again');
  await page.close();
}

for (const step of [form, kept, refused, empty, emptied, halfTyped, exactly, blamed, schemas, tangled, again, results, narrow, byKeys, long, tableView, finds, timings, streams, elapsed, plot, savedCase, formExtras]) {
  const from = Date.now();
  await step();
  console.log(`${step.name}: ${Date.now() - from} ms`);
}
await browser.close();
