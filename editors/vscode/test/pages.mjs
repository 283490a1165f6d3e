// The pages that show: a result with every kind of value, and the plot of past runs, with names for
// who cannot see them.
import assert from 'node:assert/strict';
import { content, load, point, runAll, tab, tell, unnamed } from './page.mjs';

const envelope = {
  run: 'r', ok: true, tool: 'shown', kind: 'http', value: null, text: '', content_type: '', render: null, set: null, error: null, needs: null,
  warnings: null, attempts: null, request: null, console: '', breaker: null, verified: null, cached: false, truncated: null, duration_ms: 12,
};
const hint = (kind) => ({ kind, component: 'Card', props: {} });
const rows = [{ city: 'Rome', high: 21 }, { city: 'Oslo', high: 12 }];
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wave = Buffer.from([...Buffer.from('RIFF$\0\0\0WAVEfmt '), 16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0, ...Buffer.from('data'), 0, 0, 0, 0]).toString('base64');
const fault = { kind: 'remote', code: 'x', message: 'It said no.' };
const values = [
  ['rows are a table', { value: rows }, 'table td:text("Oslo")'],
  ['a table', { value: rows, render: hint('table') }, 'th[scope=col]:text("high")'],
  ['columns and rows', { value: { columns: ['city', 'high'], rows: [['🧭', 4], { high: 5, city: 'Bergen' }] } }, 'table:has(th:text("city") + th:text("high")):has(td:text("🧭") + td:text("4")) td:text("Bergen") + td:text("5")'],
  ['columns of the same name, or with the name of a number', { value: { columns: ['n', '7', 'n'], rows: [['first', 8, 'second']] } }, '#value:has(th:text("n") + th:text("7") + th:text("n (2)")) td:text("first") + td:text("8") + td:text("second")'],
  ['rows without columns', { value: [{}, {}] }, '[role=tree] .leaf:has-text("1: {}")'],
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
  ['a picture of an MCP server', { value: [], content: [{ type: 'image', mimeType: 'image/png', data: pixel }] }, 'figure:has(img[src^="data:image/png"]):has(button:text("Save as File")) figcaption:has-text("image/png, 70 B")'],
  ['a sound of an MCP server', { value: [], content: [{ type: 'text', text: 'hear 🧭' }, { type: 'audio', mimeType: 'audio/wav', data: wave }] }, '#value:has(pre:text("hear 🧭")) audio[controls][src^="data:audio/wav"]'],
  ['an embedded text', { value: [], content: [{ type: 'resource', resource: { uri: 'demo://note', mimeType: 'text/plain', text: '<b id=bad>so</b>' } }] }, 'figure:has-text("demo://note") pre:text("<b id=bad>so</b>")'],
  ['embedded bytes', { value: [], content: [{ type: 'resource', resource: { uri: 'demo://zip', mimeType: 'application/gzip', blob: 'H4sI' } }] }, 'figure:has-text("demo://zip"):has(button:text("Save as File")):has-text("application/gzip, 3 B")'],
  ['a link to a resource', { value: [], content: [{ type: 'resource_link', uri: 'demo://1', name: 'First', description: 'What came first' }] }, 'p:has-text("What came first · demo://1") button:text("Open First")'],
  ['a text with rows', { value: rows, content: [{ type: 'text', text: 'two cities' }] }, 'pre:text("two cities")', 'Content'],
  ['a number as written', { value: '\uE00010.50' }, '.number:text("10.50")'],
  ['bytes', { value: 'JVBERgD/', encoding: 'base64', content_type: 'application/pdf' }, '.shown:has(#value:has-text("6 bytes of application/pdf")) .buttons button:text("Save as File")'],
  ['nothing of HTML', { value: '<b id=bad>no</b>', render: hint('text') }, '.text:has-text("<b id=bad>")'],
  ['a failure', { ok: false, error: { kind: 'remote', code: 'x', message: 'It said no.', hint: 'Ask again.' } }, '[role=alert]:has-text("Ask again.")'],
  ['a run that was cancelled', { ok: false, error: { kind: 'timeout', code: 'cancelled', message: 'cancelled' } }, '#status:text("⊘ Cancelled · 12 ms"):not(.failed)'],
  ['a run that was refused', { ok: false, error: { ...fault, kind: 'denied' } }, '#status:text("⊘ Refused · 12 ms"):not(.failed)'],
  ['a case that failed', { verdict: 'failed', response: { status: 200, bytes: 17, headers: {} } }, '#status.failed:text("✗ The case failed · Succeeded · 200 · 17 B · 12 ms")'],
  ['a case that expects a failure', { verdict: 'passed', ok: false, error: { ...fault, code: 'http-404' }, response: { status: 404, bytes: 17, headers: {} } }, '#status.ok:text("✓ The case passed · Failed: the server answered 404 · 17 B · 12 ms")'],
  ['a past run', { time: '2026-06-01T10:00:00Z' }, '#status:text("✓ Succeeded · 12 ms · ran on "):text("2026")'],
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

/** tellMade sends a result whose parts a function makes in the page: a large one takes seconds on its way there. */
const tellMade = (page, make) => page.evaluate(`window.postMessage({ ...${JSON.stringify(shown({}))}, envelope: { ...${JSON.stringify(envelope)}, ...(${make})() } })`);

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

/** A text that is selected with the mouse in a tree stays selected. */
async function selectsText() {
  const { page } = await load('result', shown({ value: { first: 'one', second: 'two' } }));
  await page.getByText('"two"', { exact: true }).dblclick();
  await page.locator('.leaf.active', { hasText: 'second' }).waitFor();
  assert.equal(await page.evaluate(() => getSelection().toString()), 'two');
  await page.close();
}

/** Long values, as the page makes them. */
const longValues = [
  [() => ({ value: Array.from({ length: 300 }, (_, i) => Object.fromEntries(Array.from({ length: 90 }, (_, j) => [`k${i}_${j}`, j]))) }), '299: {90}'],
  [() => ({ value: { one: Array.from({ length: 20_000 }, (_, i) => ({ id: i, deep: { list: [i, 'x'.repeat(20)] } })) } })],
  [() => ({ value: Array.from({ length: 20_000 }, (_, i) => i), render: { kind: 'json' } }), '19999: 19999'],
  [() => ({ value: Array.from({ length: 400_000 }, (_, i) => i), render: { kind: 'chart' } })],
  [() => ({ value: 'line\n'.repeat(1_000_000) })],
  [() => ({ value: { text: 'long '.repeat(2_000_000) } })],
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
  assert.ok(before >= 'name 19999'.length * 8, 'the last names are cut'); // the first ones are shorter
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

/** A cell that a row does not have is copied as nothing, and null as null. */
async function copiesNothing() {
  const { page, said } = await load('result', shown({ value: [{ a: 1, b: null }, { a: 2 }] }));
  const cells = page.locator('td:nth-child(2)');
  for (const [row, text] of [[0, 'null'], [1, '']]) {
    await cells.nth(row).click();
    await page.getByRole('button', { name: 'Copy Value' }).click();
    await page.waitForFunction(() => true);
    assert.deepEqual(said.at(-1), { type: 'copy', text, what: 'the value' });
  }
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

/** What is found in a table stays found after it is sorted and filtered, and the chosen cell stays chosen. */
async function findsArranged() {
  const { page } = await load('result', shown({ value: ['b1', 'a', 'b2', 'c', 'b3'].map((name, i) => ({ id: i, name })) }));
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+F');
  await page.getByLabel('Find', { exact: true }).fill('b');
  const count = page.locator('.find .count');
  const chosen = () => page.locator('td.active').innerText();
  await page.locator('.find .count', { hasText: '1 of 3' }).waitFor();
  const header = page.getByRole('columnheader', { name: 'id', exact: true });
  await header.click();
  await header.click(); // descending
  assert.deepEqual([await count.innerText(), await chosen()], ['3 of 3', 'b1']);
  await page.getByRole('button', { name: 'Previous match' }).click();
  assert.deepEqual([await count.innerText(), await chosen()], ['2 of 3', 'b2']);
  await page.getByLabel('Filter the rows').fill('b1');
  await page.getByText('1 of 5 rows').waitFor();
  assert.deepEqual(await page.locator('td.match').allInnerTexts(), ['b1']);
  await page.getByRole('button', { name: 'Previous match' }).click();
  assert.deepEqual([await count.innerText(), await chosen()], ['1 of 1', 'b1']);
  await page.close();
}

/** A match in a very long line is found wherever the line is cut. */
async function findsInLongLine() {
  const { page } = await load('result', shown({ value: `${'x'.repeat(39_997)}needle${'y'.repeat(50_000)}needle` }));
  await page.keyboard.press('Control+F');
  await page.getByLabel('Find', { exact: true }).fill('needle');
  await page.locator('.find .count', { hasText: '1 of 2' }).waitFor();
  assert.equal(await page.evaluate(() => [...CSS.highlights.get('current')].join()), 'needle');
  await page.close();
}

/** No mark of a search stays after it is closed, whichever view was searched, and none comes later; a hidden result is not searched. */
async function findsNoMore() {
  const { page } = await load('result', shown({ value: 'needle', console: 'needle' }));
  const marks = () => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
  const find = page.getByLabel('Find', { exact: true });
  await page.keyboard.press('Control+F');
  await find.fill('needle');
  await page.locator('.find .count', { hasText: '1 of 1' }).waitFor();
  await tab(page, 'Console');
  await page.locator('.find .count', { hasText: '1 of 1' }).waitFor();
  assert.equal(await marks(), 1);
  await find.press('Escape');
  await tab(page, 'Text');
  assert.equal(await marks(), 0);
  await page.keyboard.press('Control+F');
  await find.fill('need');
  await find.press('Escape');
  await page.waitForTimeout(200); // longer than the pause before a search
  assert.equal(await marks(), 0);
  await tell(page, { type: 'running', tool: 'slow', token: 'a', since: Date.now() });
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.keyboard.press('Control+F');
  await tell(page, { type: 'ended', token: 'a', stopped: false });
  await page.getByText('needle').waitFor();
  assert.ok(await page.locator('.find').isHidden());
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
  await tell(page, { type: 'progress', token: 'a', message: 'starting npx\n<b id=bad>installing</b>' });
  await page.getByText('<b id=bad>installing</b>').waitFor();
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

/** A run that printed before its time is shown has one section, with its time and Cancel. */
async function printsEarly() {
  const { page, said } = await load('result', { type: 'output', tool: 'quick', token: 'a', chunk: 'one ' });
  await tell(page, { type: 'running', tool: 'quick', token: 'a', since: Date.now() - 14_700 });
  await tell(page, { type: 'output', tool: 'quick', token: 'a', chunk: 'two' });
  await page.getByText(/^1\d\.\d s$/).waitFor();
  await page.getByText('one two').waitFor();
  assert.equal(await page.locator('section').count(), 1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForFunction(() => true);
  assert.deepEqual(said.at(-1), { type: 'cancel', token: 'a' });
  await tell(page, { type: 'ended', token: 'a', stopped: true });
  await page.getByText(/^Stopped after 1\d\.\d s: it has no result\./).waitFor();
  await page.close();
}

/** What a run does is shown also if it was said before the run is shown. */
async function progressFirst() {
  const { page } = await load('result', shown({ value: 'old' }));
  await tell(page, { type: 'progress', token: 'a', message: 'starting npx' });
  await tell(page, { type: 'progress', token: 'a', message: 'installing' });
  await tell(page, { type: 'running', tool: 'slow', token: 'a', since: Date.now() });
  await page.locator('.doing', { hasText: /^installing$/ }).waitFor();
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

/** keepsFocus runs again while the keyboard is in a value, and in the box that finds: it comes back there. */
async function keepsFocus() {
  const { page } = await load('result', shown({ value: { a: 1 } }));
  const runAgain = async (value) => {
    const token = `t${value.a}`;
    await tell(page, { type: 'running', tool: 'shown', token, since: Date.now() });
    await page.locator('section:focus').waitFor();
    await tell(page, { type: 'ended', token, stopped: false });
    await tell(page, shown({ value }));
  };
  await page.getByRole('tree').focus();
  await runAgain({ a: 2 });
  await page.locator('[role=tree]:focus', { hasText: 'a: 2' }).waitFor();
  await page.keyboard.press('Control+F');
  await runAgain({ a: 3 });
  await page.getByText('a: 3').waitFor();
  await page.locator('.find input:focus').waitFor();
  await page.close();
}

await runAll(again, keepsFocus, results, narrow, byKeys, selectsText, long, tableView, copiesNothing, finds, findsArranged, findsInLongLine, findsNoMore, timings, streams, elapsed, printsEarly, progressFirst, plot);
