// A workspace of two folders that use the same names for different things, step by
// step: each step builds on the ones before.
import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { open, remote } from './browser.mjs';
import { forget, frameWith, hands, lens, pause, press, shot, signal, until, walk } from './hand.mjs';

const root = process.env.ABL_TEST_SIGNALS;
const at = (...parts) => path.join(root, ...parts);
const { browser, page } = await open([['openFile', remote(at('north', 'stage.tools.abl'))]], {}, { workspace: process.env.ABL_TEST_FOLDERS });
const { line, dialog, tab, keys, token, allowHost, command, trust, result } = hands(page);
const signals = (start) => readdirSync(root).filter((name) => name.startsWith(start));
const release = () => fetch(`http://${process.env.ABL_TEST_HOST}/release`, { method: 'POST' });

/** Opens a file of one folder, and closes all others. */
async function only(folder, name) {
  await command('View: Close All Editors');
  await show(folder, name);
}

async function show(folder, name) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).nth(folder === 'north' ? 0 : 1).dblclick();
  await page.locator('.breadcrumbs-control', { hasText: folder }).first().waitFor();
}

/** The box that asks for the secret of a folder. */
const box = (folder) => page.locator('.quick-input-widget:visible', { hasText: 'needs the secret TOKEN' }).filter({ hasText: `the folder ${folder}` });

/** Allows the secret and the host, in whatever order the questions come. */
async function allowBoth() {
  for (let i = 0; i < 2; i++) {
    await dialog().getByRole('button', { name: /^Allow( This Time)?$/ }).click();
    await dialog().waitFor({ state: 'hidden', timeout: 2000 }).catch(() => undefined); // the next one has come
  }
}

const steps = {
  'the mistakes of both folders': async () => {
    await line('stage() -> object').waitFor({ timeout: 90_000 });
    await press(page, 'Control+Shift+M');
    const problems = page.locator('.markers-panel');
    for (const folder of ['north', 'south']) {
      await problems.locator('.monaco-list-row', { hasText: 'wrong.tools.abl' }).filter({ hasText: folder }).first().waitFor();
    }
    await press(page, 'Control+J');
  },

  'trust of both': async () => {
    await trust(() => command('ABL: Manage Workspace Trust'));
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'hidden' });
  },

  'two boxes for secrets, one after the other, and Escape': async () => {
    await only('south', 'stage.tools.abl');
    await command('View: Split Editor Right');
    await show('north', 'stage.tools.abl');
    await lens(page, 'Run', 1, () => box('north').waitFor({ timeout: 10_000 }));
    await lens(page, 'Run', 0, () => pause(1000)); // nothing shows of a run that waits for a box
    await box('north').locator('input').press('Escape');
    await box('south').locator('input').press('Escape');
    await box('').waitFor({ state: 'hidden' });
    assert.deepEqual(signals('token-'), []);
  },

  'a secret of each folder': async () => {
    for (const folder of ['south', 'north']) {
      await only(folder, 'stage.tools.abl');
      await lens(page, 'Run', 0, () => box(folder).waitFor({ timeout: 10_000 }));
      await box(folder).locator('input').fill(`of-${folder}`);
      await press(page, 'Enter');
      await allowBoth();
      await until('the run', async () => (await result()).value.includes(`${folder}-dev`));
      assert.ok(signal(`token-of-${folder}`), `the secret of ${folder} was not sent`);
    }
  },

  'an environment of each folder': async () => {
    const item = page.locator('.statusbar-item', { hasText: /^\s*(dev|prod)\s*$/ });
    const shows = (name) => until(`${name} in the status bar`, async () => (await item.innerText()).trim() === name);
    await only('south', 'stage.tools.abl');
    await shows('dev');
    await item.click();
    await page.locator('.quick-input-widget', { hasText: 'do the tools of south run' }).getByText('prod').click();
    await dialog().getByRole('button', { name: 'Use prod' }).click();
    await shows('prod');
    await show('north', 'stage.tools.abl');
    await shows('dev');
    await lens(page, 'Run', 0, () => dialog().waitFor({ timeout: 10_000 }));
    await allowHost();
    await until('the run', async () => (await result()).value.includes('north-dev'));
    await show('south', 'stage.tools.abl');
    await shows('prod');
    await lens(page, 'Run', 0, () => dialog().waitFor({ timeout: 10_000 }));
    await allowHost();
    await until('the run', async () => (await result()).value.includes('south-prod'));
    await shot(page, 'folders');
  },

  'the cases of both folders': async () => {
    await page.getByRole('tab', { name: 'Testing' }).first().click();
    const tree = page.locator('.test-explorer');
    for (const folder of ['north', 'south']) {
      await tree.getByText(`${folder}/stage.cases.yaml`).waitFor();
    }
    forget(...signals('token-'));
    await page.getByRole('button', { name: 'Run Tests' }).first().click();
    await allowHost();
    await allowHost(); // what one folder may is not for the other
    await until('both to pass', async () => (await tree.getByRole('treeitem', { name: /stage.cases.yaml.*passed/i }).count()) === 2);
    assert.deepEqual(signals('token-').sort(), ['token-of-north', 'token-of-south']);
    await page.getByRole('tab', { name: /Explorer/ }).first().click();
  },
};

await walk(steps, page, browser);
