// What a person sees and does, step by step, in a VS Code that has the extension
// from its file: each step builds on the ones before. Pictures go into ABL_TEST_SHOTS.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { open, remote } from './browser.mjs';
import { retryUntil, removeSignals, frameWith, pageActions, clickLens, pause, press, servers, shot, signal, soon, until, runSteps } from './hand.mjs';
import { everything } from './shown.mjs';

const workspace = process.env.ABL_TEST_WORKSPACE;
const agent = path.join(workspace, 'agents', 'trip_planner.agent.abl');
const { browser, page } = await open([['openFile', remote(agent)]]);
const { line, dialog, tab, keys, token, allowHost, choose, command, openFile, trust, result } = pageActions(page);

/** Says yes to a question of one kind, and allows the host, in whatever order they come. */
async function allowQuestionAndHost(question) {
  await dialog().getByText(new RegExp(`${question}|wants to reach`)).first().waitFor();
  if (await dialog().getByText(/wants to reach/).count()) {
    await allowHost();
    await dialog().getByText(question).waitFor();
    await dialog().getByRole('button', { name: 'Allow', exact: true }).click();
  } else {
    await dialog().getByRole('button', { name: 'Allow', exact: true }).click();
    await allowHost();
  }
}

/** Types a wrong secret, is refused, and types the right one. */
async function retypeSecret(input, name, refusal) {
  await input.fill('wrong');
  await input.press('Enter');
  await allowQuestionAndHost(`Send the secret ${name} to 127`);
  const refused = page.locator('.notification-toast', { hasText: `${refusal} Is the secret ${name} wrong?` });
  const anew = refused.getByRole('button', { name: 'Type It Again' });
  await retryUntil(() => anew.click({ timeout: soon }), () => input.waitFor({ timeout: 5000 }));
  await input.fill('s3cret');
}

/** Runs a tool from the palette until what this brings shows. */
function runFromPalette(tool, shows) {
  return choose(async () => {
    await tab('weather.tools.abl').click();
    await page.locator('.editor-instance .monaco-editor.focused').first().waitFor(); // else it takes the keyboard back
    await command('ABL: Run a Tool');
  }, tool, shows);
}

/** Runs a tool from the palette, and returns the form for its arguments. */
async function fillFromPalette(tool) {
  await runFromPalette(tool, () => page.locator('.tab.active', { hasText: `Run ${tool}` }).waitFor({ timeout: soon }));
  return frameWith(page, 'form');
}

/** Opens the walkthrough; done says which of its steps are ticked. */
async function walkthrough() {
  const all = page.locator('.getting-started-step');
  await choose(() => command('Welcome: Open Walkthrough...'), 'Begin with ABL', () => all.first().waitFor({ timeout: soon }));
  const done = () => all.evaluateAll((steps) => steps.filter((one) => one.querySelector('.codicon.complete')).map((one) => one.querySelector('.step-title').textContent));
  return { done, close: () => page.locator('.tab.active', { hasText: 'Welcome' }).getByLabel(/^Close/).click() };
}

/** Looks at a page of ours in the dark and the light theme, or in every theme: a picture for people, and axe's rules. */
async function inThemes(name, look) {
  await inEachTheme(name, look, undefined, ['none']);
}

async function inEachTheme(name, look, content, contrasts = ['none', 'active']) {
  for (const forcedColors of contrasts) { // once they were forced, Chromium no longer paints a page's own background
    for (const colorScheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme, forcedColors });
      const kind = `${forcedColors === 'active' ? 'vscode-high-contrast' : 'vscode'}-${colorScheme}`.replace('contrast-dark', 'contrast');
      const frame = await frameWith(page, look);
      await until(kind, () => frame.evaluate((one) => document.body.classList.contains(one), kind));
      await frame.evaluate((message) => message && window.postMessage(message), content);
      await frame.locator('details').evaluateAll((all) => all.forEach((one) => (one.open = true)));
      await pause(300); // what fades in has no contrast yet
      await shot(page, `${name}-${kind}`);
      if (forcedColors === 'active') {
        continue; // the system's colours are drawn, on what axe has seen before
      }
      await frame.evaluate(axe.source);
      for (const tab of [undefined, ...(await frame.getByRole('tab', { name: /^(Table|Tree|Raw|Timing)/ }).all())]) { // others look like these
        await tab?.click();
        const view = tab ? await tab.innerText() : '';
        if (tab) {
          await shot(page, `${name}-${kind}-${view.replace(/\W+/g, '-').toLowerCase()}`);
        }
        const { violations } = await frame.evaluate((inside) => window.axe.run(inside, { resultTypes: ['violations'] }), tab ? '#value' : 'html');
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), [], `${name} ${view}, ${kind}`);
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
}

const steps = {
  'a squiggle under the mistake, in Problems too': async () => {
    await page.locator('.squiggly-error').first().waitFor({ timeout: 90_000 });
    await keys('Control+Shift+M', page.locator('.markers-panel').getByText(/GTE/));
    await shot(page, 'squiggle');
    await press(page, 'Control+J');
  },

  'Restricted Mode runs nothing, whatever the folder says of itself': async () => {
    await openFile('weather.tools.abl');
    const toast = page.locator('.notification-toast', { hasText: 'It is not trusted' });
    await clickLens(page, 'Run', 0, () => toast.waitFor({ timeout: soon }));
    await shot(page, 'restricted');
    assert.ok(!signal('reached'), 'a request was sent');
    await trust(() => toast.getByRole('button', { name: 'Manage Trust' }).click({ timeout: soon }));
    await tab('trip_planner.agent.abl').click();
  },

  'hover': async () => {
    await press(page, 'Control+B'); // room for it
    const told = page.locator('.monaco-hover:visible', { hasText: 'The weather of a city' });
    const over = () => page.mouse.move(0, 0).then(() => token('get_weather', /get_weather/).hover());
    await retryUntil(over, () => told.waitFor({ timeout: soon })); // what moves below the mouse is not hovered
    await shot(page, 'hover');
    await press(page, 'Control+B');
  },

  'a quick fix by the keyboard': async () => {
    const mend = async () => {
      if (await line('method: GTE').count()) {
        await line('GTE').click();
        await press(page, 'End');
        await press(page, 'ArrowLeft');
        await keys('Control+.', page.locator('.action-widget', { hasText: 'Change to' }));
        await shot(page, 'quickfix');
        await press(page, 'Enter');
      }
    };
    await retryUntil(mend, () => line('method: GET').waitFor({ timeout: soon }));
    await until('no squiggle', async () => (await page.locator('.squiggly-error').count()) === 0);
  },

  'completion': async () => {
    await line('method: GET').click();
    await press(page, 'End');
    await press(page, 'Control+Shift+ArrowLeft');
    await press(page, 'Delete');
    await keys('Control+Space', page.locator('.suggest-widget.visible', { hasText: 'DELETE' }));
    await shot(page, 'completion');
    await press(page, 'Escape');
    await page.keyboard.type('GET');
  },

  'a jump to another file': async () => {
    await token('get_weather', /get_weather/).click();
    await keys('F12', line('get_weather(city'));
  },

  'Run asks with a form, and for the host': async () => {
    await clickLens(page, 'Run', 0, () => frameWith(page, 'form', soon));
    let form = await frameWith(page, 'form');
    await form.getByRole('button', { name: 'Run' }).click();
    assert.match(await form.locator('#error').innerText(), /city is required/);
    await form.getByRole('button', { name: 'Edit as JSON' }).click();
    await form.getByRole('textbox', { name: 'Arguments' }).fill('{"city": "Paris", "days": "many", "dyas": 2}');
    await form.getByRole('textbox', { name: 'Arguments' }).press('Control+Enter');
    await retryUntil(async () => (form = await frameWith(page, '#error:has-text("days:")')), () => form.getByRole('textbox', { name: 'Arguments' }).waitFor({ timeout: soon }));
    assert.match(await form.getByRole('textbox', { name: 'Arguments' }).inputValue(), /"many"[^]*"dyas"/); // what was typed is there to be mended
    await form.getByRole('textbox', { name: 'Arguments' }).fill('{"city": "Paris"}');
    await form.getByRole('button', { name: 'Edit as Fields' }).click();
    await form.getByText('Optional').click();
    await form.getByLabel('days').fill('2');
    await form.locator('.preview pre', { hasText: /^GET http.*\/v1\/cities\/Paris\/weather\?.*days=2/ }).waitFor();
    await shot(page, 'form');
    await form.getByLabel('city').press('Enter');
    await allowHost();
    const shown = await result();
    assert.match(shown.status, /Succeeded/);
    assert.match(shown.value, /Paris/);
    assert.equal(await shown.frame.locator('.warning').count(), 0); // dyas is no longer sent
    await shot(page, 'result');
  },

  'Run Again, and the two compared': async () => {
    const { frame } = await result();
    await frame.getByRole('button', { name: 'Run Again' }).click();
    await allowHost(); // it was for that time
    const compare = frame.getByRole('button', { name: /Compare/ });
    await compare.waitFor();
    assert.doesNotMatch((await result()).status, /cache/); // whoever runs it again wants to know how it is now
    await compare.click();
    await page.locator('.monaco-diff-editor').first().waitFor();
    await page.locator('.tab', { hasText: 'the run before' }).getByLabel(/^Close/).click();
    await tab('weather.tools.abl').click();
  },

  'a walkthrough of which nothing is done': async () => {
    const { done, close } = await walkthrough(); // VS Code follows what is done from now on, a run before does not count
    assert.deepEqual(await done(), []);
    await close();
  },

  'a tool typed line by line, with what is suggested on the way': async () => {
    await command('ABL: New Tool File');
    await page.locator('.tab.active', { hasText: 'new.tools.abl' }).waitFor();
    await line('api.example.com').click();
    await press(page, 'Control+A');
    const typed = ['TOOLS:', 'ping(host: string, count?: int) -> string', 'description: Pings a h', 'type: http', 'method: GET', 'endpoint: "/ping/{host}"', 'timeout: 500', 'code: |', 'desc', 'throw error'];
    for (const text of typed) {
      await page.keyboard.type(text, { delay: 40 });
      await pause(300); // for the list to come
      await press(page, 'Enter');
    }
    const lines = typed.map((text, i) => '  '.repeat(i > 7 ? 3 : Math.min(i, 2)) + text);
    const seen = async () => (await page.locator('.editor-instance .view-line').evaluateAll((all) => all.sort((a, b) => a.offsetTop - b.offsetTop).map((one) => one.textContent.replaceAll('\u00a0', ' ').trimEnd()))).filter(Boolean);
    const same = async () => String((await seen()).slice(0, lines.length)) === String(lines); // a hint may stand below
    await until('the lines', same, soon).catch(async () => assert.deepEqual(await seen(), lines));
    await tab('new.tools.abl').getByLabel(/^Close/).click();
    await dialog().getByRole('button', { name: 'Don\'t Save' }).click(); // it has a place already
    await tab('weather.tools.abl').click();
  },

  'a tool that changes something shows what it will send': async () => {
    await clickLens(page, 'Run', 1, () => frameWith(page, 'form', soon));
    const form = await frameWith(page, 'form');
    await form.getByLabel('city').fill('Lisbon');
    await form.getByLabel('from').fill('2026-06-01');
    await form.getByLabel('to', { exact: false }).nth(0).waitFor();
    await form.locator('[data-name=to] input').fill('2026-06-05');
    await form.getByRole('button', { name: 'Run' }).click();
    await dialog().getByText(/Lisbon/).first().waitFor();
    assert.match(await dialog().innerText(), /POST[^]*2026-06-05/);
    assert.equal(await dialog().getByRole('button', { name: /side_effects/ }).count(), 0); // it is always asked about
    await page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
    await shot(page, 'confirmation');
    await dialog().getByRole('button', { name: 'Run', exact: true }).click();
    await allowHost();
    await until('the booking', async () => /B-1/.test((await result()).value));
  },

  'the pages in every theme, by the keyboard alone': async () => {
    await page.locator('.tab', { hasText: 'Result: book_trip' }).click();
    await inEachTheme('result', '#status', everything);
    const form = await fillFromPalette('get_weather');
    await inEachTheme('form', 'form');
    assert.equal(await form.getByLabel('city').inputValue(), 'Paris'); // what was typed the last time
    const focused = () => form.evaluate(() => document.activeElement?.closest('[data-name]')?.dataset.name ?? document.activeElement?.textContent);
    const order = [];
    for (let i = 0; i < 7; i++) {
      order.push(await focused());
      await press(page, 'Tab');
    }
    assert.deepEqual(order, ['city', 'Optional', 'days', 'units', 'units', 'Run', 'Cancel']); // the box for an empty text too
    const box = page.locator('.quick-input-widget');
    const fill = async () => {
      await form.getByLabel('city').focus();
      await form.getByRole('button', { name: 'Fill from a Result' }).click({ timeout: soon });
      await box.getByText('from the result of which tool?').waitFor({ timeout: soon });
      await box.evaluate((one) => { // counts how often it closes
        one.closings = [];
        new MutationObserver(() => one.closings.at(-1) !== one.style.display && one.closings.push(one.style.display)).observe(one, { attributeFilter: ['style'] });
      });
    };
    await choose(fill, ['book_trip', 'value.city'], () => until('the city of the booking', async () => (await form.getByLabel('city').inputValue()) === 'Lisbon', soon));
    assert.equal((await box.evaluate((one) => one.closings)).filter((display) => display === 'none').length, 1); // the form may take the keyboard late, which would close a second box
    await form.getByLabel('city').press('Escape');
    await form.locator('#error', { hasText: 'what you typed is lost' }).waitFor();
    await press(page, 'Escape');
    await until('the form to close', async () => (await page.locator('.tab', { hasText: 'Run get_weather' }).count()) === 0);
    await page.locator('.editor-group-container.active .tab.active[data-resource-name="weather.tools.abl"]').waitFor(); // where it was asked for
  },

  'the runs of the journal': async () => {
    await page.getByRole('tab', { name: 'ABL', exact: true }).first().click();
    const rows = page.locator('.pane-body .monaco-list-row');
    await rows.filter({ hasText: 'book_trip' }).first().waitFor();
    const passed = rows.filter({ hasText: 'get_weather', has: page.locator('.codicon-pass') }).first();
    await retryUntil(() => passed.click(), () => until('the run', async () => /ran on .*:/.test((await result()).status) && /Paris/.test((await result()).value), soon));
    await shot(page, 'history');
    const count = await rows.count();
    await page.getByRole('tab', { name: 'Explorer' }).first().click();
    const program = readlinkSync(`/proc/${servers()[0]}/exe`);
    execFileSync(program, ['run', path.join(workspace, 'tools', 'weather.tools.abl'), 'get_weather', '--arg', 'city=Turin', '--allow-host', process.env.ABL_TEST_HOST]);
    await page.getByRole('tab', { name: 'ABL', exact: true }).first().click();
    await until('the run from elsewhere', async () => (await rows.count()) > count);
  },

  'runs filtered, compared, drawn over time, and pinned': async () => {
    const rows = page.locator('.pane-body .monaco-list-row');
    const act = (name) => page.locator('.sidebar .composite.title').hover().then(() => page.locator('.sidebar').getByRole('button', { name, exact: true }).click({ timeout: soon }));
    const box = page.locator('.quick-input-widget:visible');
    const filter = async () => {
      const tool = box.locator('.monaco-list-row', { hasText: 'get_weather' }).first();
      await retryUntil(() => act('Filter…'), () => tool.waitFor({ timeout: soon }));
      await tool.click({ timeout: soon });
      await box.locator('.quick-input-box input').press('Enter', { timeout: soon });
    };
    await retryUntil(filter, () => until('the others to go', async () => (await rows.count()) > 1 && (await rows.filter({ hasNotText: 'get_weather' }).count()) === 0, soon));
    const chooseInMenu = async (nth, name) => { // by the keyboard: the menu takes no click that is this quick
      await retryUntil(() => rows.nth(nth).click({ button: 'right', timeout: soon }), () => page.locator('.monaco-menu .action-item', { hasText: name }).waitFor({ timeout: soon }));
      await until(name, () => press(page, 'ArrowDown').then(() => page.locator('.monaco-menu .action-item.focused', { hasText: name }).count()), soon);
      await press(page, 'Enter');
    };
    const compare = () => chooseInMenu(0, 'Select for Compare').then(() => chooseInMenu(1, 'Compare with Selected'));
    await retryUntil(compare, () => page.locator('.monaco-diff-editor').first().waitFor({ timeout: soon }));
    await page.locator('.tab.active', { hasText: '↔' }).getByLabel(/^Close/).click();
    await shot(page, 'history-filtered');
    await retryUntil(() => act('Show All Runs'), () => rows.filter({ hasText: 'book_trip' }).first().waitFor({ timeout: soon }));
    await retryUntil(() => act('Show Runs over Time'), () => frameWith(page, '.point', soon));
    await inThemes('plot', '.point');
    const plot = await frameWith(page, '.point');
    await plot.getByRole('button', { name: /^book_trip, succeeded/ }).first().click();
    await until('the run', async () => /B-1/.test((await result()).value));
    await (await result()).frame.getByRole('button', { name: 'Pin' }).click();
    await page.locator('.tab', { hasText: 'Result: book_trip (pinned)' }).waitFor();
    await rows.filter({ hasText: 'get_weather', has: page.locator('.codicon-pass') }).first().click();
    await page.locator('.tab', { hasText: /^Result: get_weather/ }).waitFor();
    await page.locator('.tab', { hasText: 'Result: book_trip (pinned)' }).click();
    await until('the pinned result', async () => /B-1/.test((await result()).value));
    await page.locator('.tab', { hasText: 'Result: book_trip (pinned)' }).getByLabel(/^Close/).click();
    await page.locator('.tab', { hasText: 'Runs over Time' }).click();
    await page.locator('.tab', { hasText: 'Runs over Time' }).getByLabel(/^Close/).click();
    await page.getByRole('tab', { name: 'Explorer' }).first().click();
  },

  'saved cases in the Test Explorer': async () => {
    await page.getByRole('tab', { name: 'Testing' }).first().click();
    const tree = page.locator('.test-explorer');
    await tree.getByText('weather.cases.yaml').waitFor();
    const all = page.getByRole('button', { name: 'Run Tests' }).first();
    const runAll = () => retryUntil(() => all.click(), () => dialog().getByText(/wants to reach 127/).waitFor({ timeout: soon }));
    await runAll();
    await dialog().getByRole('button', { name: 'Cancel' }).click(); // a second question would cover the next click
    const output = async () => page.locator('.xterm-rows').first().innerText();
    await until('the others, of which none asks', async () => /never: errored/.test(await output()));
    await runAll();
    await allowHost();
    const outcomes = page.locator('.test-output-peek-tree');
    await outcomes.getByText('a wrong hope').first().waitFor();
    await until('the output', async () => /two days in Rome: passed.*a wrong hope: failed/s.test(await output()));
    await until('the case that never ends', () => signal('started'));
    const compared = page.locator('.test-output-peek-message-container .line-delete').first();
    await retryUntil(() => outcomes.getByText('a wrong hope').first().click(), () => compared.waitFor({ timeout: soon }));
    await shot(page, 'tests');
    await retryUntil(() => page.getByRole('button', { name: /^Cancel Test Run/ }).first().click(), () => until('its end', () => signal('cancelled'), soon));
    await tree.getByRole('treeitem', { name: /never.*skipped/i }).waitFor();
    await tree.getByRole('treeitem', { name: /slow_report: later.*not yet.*skipped/i }).waitFor(); // its name is read aloud
    assert.match(await tree.innerText(), /a wrong hope/);
    removeSignals('started', 'cancelled');
  },

  'the lens of a case says whether it passed': async () => {
    const cases = path.join(workspace, 'tools', 'weather.cases.yaml');
    const whole = readFileSync(cases, 'utf8');
    writeFileSync(cases, whole.replace('hope\n    args: {city: Rome, days: 2}', 'hope\n    args: {days: 2}'));
    let form;
    const denied = async () => { // to a run of the case as it was: the server is told later of what is written
      await dialog().getByRole('button', { name: 'Cancel' }).click({ timeout: 100 }).catch(() => undefined);
    };
    await clickLens(page, '▶ a wrong hope', 0, async () => (form = await frameWith(page, 'form', soon)), denied);
    await form.getByLabel('city').fill('Bari');
    await form.getByLabel('city').press('Enter');
    await allowHost();
    await until('the verdict', async () => /^✗ The case failed · Succeeded/.test((await result()).status));
    assert.match(await (await result()).frame.locator('.warning').innerText(), /The case has failed. \S/);
    await (await result()).frame.getByRole('button', { name: 'Edit Arguments' }).click();
    form = await frameWith(page, 'form');
    await until('what was typed for the case', async () => (await form.getByLabel('city').inputValue()) === 'Bari');
    await form.getByLabel('city').press('Escape');
    writeFileSync(cases, whole);
    const toast = page.locator('.notification-toast', { hasText: /on mars: .*no environment "mars"/ });
    await clickLens(page, '▶ on mars', 0, () => toast.waitFor({ timeout: soon })); // it has no result, and that of before is another's
    await command('Notifications: Clear All Notifications');
  },

  'a secret is asked for once, and shown to nobody': async () => {
    const form = await fillFromPalette('private_weather');
    await form.getByLabel('city').fill('Bergen');
    await form.getByLabel('city').press('Enter');
    const input = page.locator('.quick-input-widget', { hasText: 'MEMBER_TOKEN' }).locator('input');
    await retypeSecret(input, 'MEMBER_TOKEN', 'private_weather was answered 401.');
    assert.equal(await input.getAttribute('type'), 'password');
    await input.press('Enter');
    await until('the run', async () => /Bergen/.test((await result()).value));
    assert.ok(signal('member'), 'the secret was not sent');
    const { frame } = await result();
    await frame.getByRole('tab', { name: 'Request' }).click();
    await frame.locator('main').getByText(/MEMBER_TOKEN/).first().waitFor(); // rows are drawn once their place is known
    assert.doesNotMatch(await frame.locator('main').innerText(), /s3cret/);
    removeSignals('member');
    await frame.getByRole('button', { name: 'Run Again' }).click();
    await allowHost();
    await until('the second run', () => signal('member'));
    assert.equal(await page.locator('.quick-input-widget:visible').count(), 0);
    await command('Test: Run All Tests');
    await dialog().getByRole('button', { name: 'Cancel' }).click(); // the host; what is known needs no question
    await until('the case with the secret', async () => /at home: errored.*\s+.*127\.0\.0\.1/.test(await page.locator('.xterm-rows').first().innerText()));
    await command('ABL: Forget the Secrets');
    await dialog().getByRole('button', { name: 'Forget Them' }).click();
    await page.locator('.notification-toast', { hasText: 'are forgotten' }).waitFor();
    assert.deepEqual(readdirSync(process.env.ABL_TEST_SIGNALS, { recursive: true }).filter((name) => /arguments\/\w+\.json$/.test(name)), []);
    await frame.getByRole('button', { name: 'Run Again' }).click();
    await input.press('Escape'); // it is asked for anew
  },

  'a case and a line for the shell from a result': async () => {
    const { frame } = await result();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await frame.getByRole('button', { name: 'Copy as curl' }).click();
    await until('the line', async () => /curl .*MEMBER_TOKEN/s.test(await page.evaluate(() => navigator.clipboard.readText())));
    await frame.getByRole('button', { name: 'Copy as abl-lsp run' }).click();
    await until('the other line', async () => /abl-lsp run .*weather.tools.abl private_weather .*Bergen.* --allow-host/.test(await page.evaluate(() => navigator.clipboard.readText())));
    const copied = (text) => until(text, async () => (await page.evaluate(() => navigator.clipboard.readText())) === text);
    await frame.getByRole('tab', { name: 'Tree' }).click();
    await frame.getByRole('tree').focus();
    await press(page, 'Control+F');
    await frame.getByLabel('Find', { exact: true }).fill('bergen');
    await frame.getByText('1 of 1', { exact: true }).waitFor();
    await press(page, 'Escape');
    await press(page, 'Control+Shift+C');
    await copied('value.city');
    await frame.getByRole('button', { name: 'Copy Value' }).click();
    await copied('Bergen');
    const save = page.locator('.quick-input-widget:visible', { hasText: 'Save what private_weather gave' }).locator('.quick-input-box input');
    await retryUntil(() => frame.getByRole('button', { name: 'Save as JSON' }).click({ timeout: soon }), () => save.press('Enter', { timeout: soon }));
    await until('the file', () => existsSync(path.join(workspace, 'private_weather.json')));
    assert.match(readFileSync(path.join(workspace, 'private_weather.json'), 'utf8'), /"city": "Bergen"/);
    await frame.getByRole('button', { name: 'Save as Case' }).click();
    const form = await frameWith(page, '#name');
    await inThemes('case', '#name');
    await form.getByLabel('Name').fill('in Bergen');
    await form.getByRole('checkbox', { name: 'value.city', exact: true }).check();
    await form.getByLabel('How value.units is compared').selectOption('type');
    await form.getByRole('button', { name: 'Save' }).click();
    await tab('weather.cases.yaml').waitFor();
    await line('in Bergen').waitFor();
    const written = () => readFileSync(path.join(workspace, 'tools', 'weather.cases.yaml'), 'utf8').match(/in Bergen[^]*value.city == "Bergen" && [^]*value.units/);
    await until('it on the disk', written);
  },

  'a secret that brought a case no token is typed again': async () => {
    const input = page.locator('.quick-input-widget', { hasText: 'CLIENT_SECRET' }).locator('input');
    await tab('weather.tools.abl').click();
    await press(page, 'Control+J'); // room for its lens
    await clickLens(page, '▶ as a client', 0, () => input.waitFor({ timeout: soon }), () => press(page, 'Control+End'));
    await retypeSecret(input, 'CLIENT_SECRET', 'client_weather was given no token.');
    await input.press('Enter');
    await allowHost();
    await until('the weather', async () => /Oslo/.test((await result()).value));
    await tab('weather.tools.abl').click();
    await press(page, 'Control+Home'); // where the lenses of the next steps are
  },

  'the environment in the status bar, red where it is protected': async () => {
    await tab('weather.tools.abl').click();
    await clickLens(page, 'Run', 0, () => frameWith(page, 'form', soon));
    const form = await frameWith(page, 'form');
    const says = (where) => form.locator('#where').getByText(where, { exact: true }).waitFor();
    await says('Environment: dev');
    const item = page.locator('.statusbar-item', { hasText: /dev|prod/ });
    await choose(() => item.getByText('dev').click({ timeout: soon }), 'prod', () => dialog().waitFor({ timeout: soon }));
    await dialog().getByRole('button', { name: 'Use prod' }).click();
    await item.getByText('prod').waitFor();
    assert.match(await item.getAttribute('class'), /error/);
    await says('Environment: prod, which is protected');
    await shot(page, 'environment');
    writeFileSync(path.join(workspace, 'tools', 'abl.yaml'), 'environments:\n  dev: {}\n  prod: {}\ndefault_environment: dev\n');
    await says('Environment: prod');
    const library = path.join(workspace, 'tools', 'weather.tools.abl');
    const tools = readFileSync(library, 'utf8');
    await form.getByLabel('city').fill('Genoa');
    writeFileSync(library, tools.replace('get_weather(', 'got_weather('));
    await line('got_weather(').waitFor();
    await form.getByLabel('city').press('Enter');
    await form.locator('#error').getByText(/get_weather is not in its file any more/).waitFor();
    assert.equal(await form.getByLabel('city').inputValue(), 'Genoa');
    writeFileSync(library, tools);
    await line('get_weather(').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    const status = page.locator('.hover-language-status', { hasText: /ABL server \S+/ }).getByText('Show Log');
    await retryUntil(() => page.locator('.statusbar-item#status\\.languageStatus').click(), () => status.waitFor({ timeout: soon }));
    await shot(page, 'language-status');
    await press(page, 'Escape');
    await until('it to be protected no more', async () => !/error/.test(await item.getAttribute('class')));
    await tab('trip_planner.agent.abl').click(); // of no project, or of another one
    const absent = page.locator('.statusbar-item', { hasText: 'no prod' });
    await choose(() => absent.click({ timeout: soon }), 'Do not insist on prod', () => absent.waitFor({ state: 'hidden', timeout: soon }));
    await tab('weather.tools.abl').click();
    await item.getByText('dev').waitFor();
    assert.doesNotMatch(await item.getAttribute('class'), /error/);
    const settings = path.join(workspace, '.vscode', 'settings.json');
    const before = readFileSync(settings, 'utf8');
    writeFileSync(settings, '{"abl.environment": "mars"}');
    await page.locator('.statusbar-item', { hasText: 'no mars' }).waitFor();
    writeFileSync(settings, before);
    await item.getByText('dev').waitFor();
  },

  'a server that ends is started again, which is said once': async () => {
    const said = page.locator('.notification-toast', { hasText: 'ended by itself' });
    const before = servers();
    before.forEach((pid) => process.kill(pid, 'SIGKILL'));
    const log = page.locator('.panel .output-view, .panel .monaco-editor').first();
    await said.getByRole('button', { name: 'Show Log' }).click();
    await log.waitFor();
    const again = await until('another server', () => servers().length > 0 && servers());
    assert.notDeepEqual(again, before);
    again.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await until('one more', () => servers().length > 0 && !servers().includes(again[0]));
    assert.equal(await said.count(), 0);
  },

  'a path without a server, which is said once, and the right one again': async () => {
    const settings = path.join(process.env.ABL_TEST_SIGNALS, 'user', 'Machine', 'settings.json');
    mkdirSync(path.dirname(settings), { recursive: true });
    writeFileSync(settings, '{"abl.server.path": "/nowhere/abl-lsp"}');
    const said = page.locator('.notification-toast', { hasText: '/nowhere/abl-lsp cannot be started' });
    await said.getByText('The setting abl.server.path can name another one.').waitFor();
    await page.locator('.codelens-decoration a:visible').first().waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'ABL', exact: true }).first().click();
    await page.locator('.sidebar .composite.title').hover();
    await page.locator('.sidebar').getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.locator('.pane-body', { hasText: 'The ABL server, which knows the runs, is not running.' }).getByText('Restart the Server').waitFor();
    await page.getByRole('tab', { name: /Explorer/ }).first().click();
    writeFileSync(settings, '{}');
    await page.locator('.codelens-decoration a:visible').first().waitFor();
    assert.equal(await page.locator('.notification-toast', { hasText: /nowhere|failed/ }).count(), 1);
  },

  'a run from the palette, cancelled': async () => {
    await runFromPalette('slow_report', () => dialog().waitFor({ timeout: soon }));
    await allowHost();
    await until('the request', () => signal('started'));
    const running = await frameWith(page, '.elapsed');
    await until('a second', async () => /^[1-9]\S* s$/.test(await running.locator('.elapsed').innerText()));
    await running.getByRole('button', { name: 'Cancel' }).click();
    await until('its end', () => signal('cancelled'), soon);
    await until('what became of it', async () => /^⊘ Cancelled · [1-9]\S* s/.test((await result()).status));
  },

  'a run again from the history, its host allowed always': async () => {
    await page.getByRole('tab', { name: 'ABL', exact: true }).first().click();
    await page.getByRole('treeitem', { name: /^slow_report, cancelled, .*, (dev|prod)$/ }).first().waitFor(); // where it ran is read aloud
    const row = page.locator('.pane-body .monaco-list-row', { hasText: 'get_weather' }).last();
    const act = () => row.hover().then(() => row.getByRole('button', { name: 'Run Again' }).click({ timeout: soon }));
    await retryUntil(act, () => dialog().waitFor({ timeout: soon })); // a row moves when another run has ended
    await dialog().getByRole('button', { name: 'Always Allow' }).click();
    await until('the run', async () => /Paris/.test((await result()).value));
  },

  'a long request is shown as a whole, and its tool is said to change nothing': async () => {
    const form = await fillFromPalette('leave_note');
    await form.getByLabel('text').fill(`${'long '.repeat(1000)}\nthe end`);
    await form.getByLabel('text').press('Enter');
    await dialog().getByText(/This is the beginning/).waitFor();
    await shot(page, 'long');
    await dialog().getByRole('button', { name: 'Show All of It' }).click();
    await tab('What leave_note sends').waitFor();
    const stays = page.locator('.notification-toast', { hasText: 'leave_note' }).filter({ has: page.locator('.codicon-error') }); // others hide after some seconds
    await stays.getByRole('button', { name: /side_effects: false/ }).click();
    await until('the note', async () => /B-1/.test((await result()).value));
    await tab('weather.tools.abl').click();
    await press(page, 'Control+End');
    await line('side_effects: false').waitFor();
    const { frame } = await result();
    await frame.locator('#status').evaluate((status) => (status.textContent = 'before'));
    await frame.getByRole('button', { name: 'Run Again' }).click();
    await until('a run that asks nothing', async () => /Succeeded/.test((await result()).status));
    await frame.getByRole('button', { name: 'Undo' }).click();
    await dialog().getByText(/Revert the run/).waitFor();
    assert.match(await dialog().innerText(), /DELETE[^]*\/v1\/bookings\/B-1/);
    await dialog().getByRole('button', { name: 'Undo', exact: true }).click();
    await until('it undone', () => signal('undone-B-1'));
    await tab('weather.tools.abl').click();
    await press(page, 'Control+Z');
    await until('it undone', async () => (await line('side_effects: false').count()) === 0);
  },

  'a picture, a sound and a link of MCP servers': async () => {
    if (!process.env.ABL_TEST_MEDIA) {
      console.log('      without the reference servers of MCP, which are not in .cache/npm');
      return;
    }
    await tab('weather.tools.abl').click(); // it is opened beside the results
    await openFile('media.tools.abl');
    const run = async (nth, tool, selector) => {
      await clickLens(page, 'Run', nth, () => page.locator('.tab', { hasText: `Result: ${tool}` }).waitFor({ timeout: soon }));
      const shown = (await frameWith(page, `[data-tool="${tool}"] ${selector}`)).locator(selector);
      assert.match((await result()).status, /Succeeded/);
      return shown;
    };
    const picture = await run(0, 'picture', 'img');
    await until('the picture', () => picture.evaluate((img) => img.naturalWidth > 0));
    const sound = await run(2, 'sound', 'audio');
    await until('the sound', () => sound.evaluate((audio) => audio.duration > 0.4));
    await shot(page, 'sound');
    const link = await run(1, 'links', 'button:has-text("Open Text Resource 2")');
    await link.click();
    await until('the text of the resource', async () => /Resource 2: This is a plaintext resource/.test((await result()).value));
    await tab('media.tools.abl').getByLabel(/^Close/).click();
  },

  'the walkthrough has ticked what was done': async () => {
    const { done } = await walkthrough();
    await until('the ticks', async () => String(await done()) === 'Write a tool,Run it,Save a case,Choose an environment').catch(async () => assert.fail(String(await done())));
  },
};

await runSteps(steps, page, browser);
