// A workspace of two folders that use the same names for different things, step by
// step: each step builds on the ones before.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { open, remote } from './browser.mjs';
import { retryUntil, removeSignals, frameWith, pageActions, clickLens, pause, press, servers, shot, signal, soon, until, runSteps } from './hand.mjs';

const root = process.env.ABL_TEST_SIGNALS;
const pathOf = (...parts) => path.join(root, ...parts);
const { browser, page } = await open([['openFile', remote(pathOf('north', 'begun.tools.abl'))]], {}, { workspace: process.env.ABL_TEST_FOLDERS });
const { line, dialog, tab, keys, token, allowHost, choose, command, trust, result } = pageActions(page);
const signals = (start) => readdirSync(root).filter((name) => name.startsWith(start));
const release = () => fetch(`http://${process.env.ABL_TEST_HOST}/release`, { method: 'POST' });

/** Opens a file of one folder, and closes all others. */
async function showOnly(folder, name) {
  await command('View: Close All Editors');
  await showFile(folder, name);
}

async function showFile(folder, name) {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).nth(folder === 'north' ? 0 : 1);
  const group = page.locator('.editor-group-container.active', { has: page.locator(`.tab.active[data-resource-name="${name}"]`) });
  await retryUntil(() => row.dblclick({ timeout: soon }), () => group.locator('.breadcrumbs-control', { hasText: folder }).waitFor({ timeout: soon }));
}

/** Renames a file of the first folder in the explorer. */
async function renameInExplorer(name, to) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().click();
  await keys('F2', page.locator('.explorer-folders-view input'));
  await page.locator('.explorer-folders-view input').fill(to);
  await page.locator('.explorer-folders-view input').press('Enter');
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: to }).first().waitFor();
}

/** Moves the editor in front to a window of its own, and gives that. */
async function moveToNewWindow(from) {
  let to;
  page.context().once('page', (opened) => (to = opened));
  const move = async () => {
    if (!to) {
      await from.bringToFront();
      await pageActions(from).command('View: Move Editor into New Window');
    }
  };
  await retryUntil(move, () => until('the window', () => to, soon));
  return to;
}

/** The window that has a page of ours with something in it. */
async function windowWith(selector) {
  for (const one of page.context().pages()) {
    if (await frameWith(one, selector, 100).catch(() => undefined)) {
      return one;
    }
  }
  return undefined;
}

/** How much two colours differ, as WCAG counts it. */
function contrast(...two) {
  const linear = (part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const [light, dark] = two.map((rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => sum + weight * linear(rgb[i]), 0)).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The box that asks for the secret of a folder. */
const box = (folder) => page.locator('.quick-input-widget:visible', { hasText: 'needs the secret TOKEN' }).filter({ hasText: `the folder ${folder}` });

/** Allows the secret and the host, in whatever order the questions come, until the secret was sent. */
async function allowBoth(sent) {
  const allow = dialog().getByRole('button', { name: /^Allow( This Time)?$/ }).first();
  await until(`${sent} to be sent`, async () => {
    if (await allow.count()) {
      await allow.click({ timeout: 1000 }).catch(() => undefined); // the question is answered, or the next one has come
    }
    return signal(sent);
  });
}

const environment = page.locator('.statusbar-item', { hasText: /^\s*(dev|prod)\s*$/ });
const waitForEnvironment = (name) => until(`${name} in the status bar`, async () => (await environment.innerText()).trim() === name);

const steps = {
  'an indentation of two in a file that was open before the extension': async () => {
    await page.locator('.statusbar-item', { hasText: 'Spaces: 2' }).waitFor({ timeout: 90_000 });
  },

  'the mistakes of both folders': async () => {
    await showFile('north', 'stage.tools.abl');
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
    await showOnly('south', 'stage.tools.abl');
    const right = page.locator('.editor-group-container').nth(1);
    await retryUntil(() => command('View: Split Editor Right'), () => right.waitFor({ timeout: soon }));
    await retryUntil(() => right.locator('.view-line').first().click(), () => right.and(page.locator('.active')).waitFor({ timeout: soon })); // the palette gives the keyboard back to the left one
    await showFile('north', 'stage.tools.abl');
    await right.locator('.breadcrumbs-control', { hasText: 'north' }).waitFor();
    await right.locator('.codelens-decoration a').first().waitFor();
    await line('stage() ->').click(); // VS Code asks for no lenses of an editor that loses the keyboard early, until it has it again
    const one = async () => {
      await clickLens(page, 'Run', 1, () => box('north').waitFor({ timeout: soon }));
      await clickLens(page, 'Run', 0, () => pause(1000)); // nothing shows of a run that waits for a box, so a lost click is seen later
      await box('north').locator('input').press('Escape');
    };
    await retryUntil(one, () => box('south').waitFor({ timeout: soon }));
    await box('south').locator('input').press('Escape');
    await box('').waitFor({ state: 'hidden' });
    assert.deepEqual(signals('token-'), []);
  },

  'a secret of each folder': async () => {
    for (const folder of ['north', 'south']) {
      await showOnly(folder, 'stage.tools.abl');
      await clickLens(page, 'Run', 0, () => box(folder).waitFor({ timeout: soon }));
      const secret = page.locator('.quick-input-widget:visible'); // what is wrong stands in the place of its text
      await secret.locator('input').fill('-----BEGIN PRIVATE KEY-----');
      await secret.getByText('loses them').waitFor();
      await secret.locator('input').fill(`of-${folder}`);
      await secret.locator('input').press('Enter');
      await allowBoth(`token-of-${folder}`);
      await until('the run', async () => (await result()).value.includes(`${folder}-dev`));
    }
  },

  'an environment of each folder': async () => {
    await showFile('south', 'stage.tools.abl'); // beside its result
    await waitForEnvironment('dev');
    const opens = async () => {
      await environment.click({ timeout: soon });
      await page.locator('.quick-input-widget:visible', { hasText: 'do the tools of south run' }).waitFor({ timeout: soon });
    };
    await choose(opens, 'prod', () => dialog().waitFor({ timeout: soon }));
    await dialog().getByRole('button', { name: 'Use prod' }).click();
    await waitForEnvironment('prod');
    removeSignals(...signals('stage-'));
    await (await result()).frame.getByRole('button', { name: 'Run Again' }).click(); // where it was, whatever is chosen now
    await allowHost();
    await until('the run', () => signals('stage-').length > 0);
    assert.deepEqual(signals('stage-'), ['stage-south-dev']);
    await showOnly('north', 'stage.tools.abl');
    await waitForEnvironment('dev');
    await clickLens(page, 'Run', 0, () => dialog().waitFor({ timeout: soon }));
    await allowHost();
    await until('the run', async () => (await result()).value.includes('north-dev'));
    await showFile('south', 'stage.tools.abl');
    await waitForEnvironment('prod');
    await clickLens(page, 'Run', 0, () => dialog().waitFor({ timeout: soon }));
    await allowHost();
    await until('the run', async () => (await result()).value.includes('south-prod'));
    await shot(page, 'folders');
    await page.getByRole('tab', { name: 'ABL', exact: true }).first().click();
    await page.locator('.monaco-list-row', { hasText: /prod · south · .* · succeeded · / }).first().waitFor();
  },

  'the cases of both folders': async () => {
    await page.getByRole('tab', { name: 'Testing' }).first().click();
    const tree = page.locator('.test-explorer');
    for (const folder of ['north', 'south']) {
      await tree.getByText(`${folder}/stage.cases.yaml`).waitFor();
    }
    removeSignals(...signals('token-'));
    await retryUntil(() => page.getByRole('button', { name: 'Run Tests' }).first().click(), () => dialog().waitFor({ timeout: soon }));
    await allowHost();
    await allowHost(); // what one folder may is not for the other
    await until('both to pass', async () => (await tree.getByRole('treeitem', { name: /stage.cases.yaml.*passed/i }).count()) === 2);
    assert.deepEqual(signals('token-').sort(), ['token-of-north', 'token-of-south']);
    mkdirSync(path.join(root, 'branch')); // it comes as a whole, so that VS Code tells of the folder alone
    writeFileSync(path.join(root, 'branch', 'other.cases.yaml'), 'stage:\n  - name: of another branch 🛫\n');
    renameSync(path.join(root, 'branch'), pathOf('north', 'branch'));
    const other = tree.getByText('other.cases.yaml');
    await other.waitFor();
    rmSync(pathOf('north', 'branch'), { recursive: true });
    await other.waitFor({ state: 'hidden' });
    mkdirSync(pathOf('west'));
    writeFileSync(pathOf('west', 'west.cases.yaml'), 'stage:\n  - name: of a folder that is added 🛫\n');
    const folders = readFileSync(process.env.ABL_TEST_FOLDERS, 'utf8');
    writeFileSync(process.env.ABL_TEST_FOLDERS, folders.replace(']', ', {"path": "west"}]'));
    await dialog().getByRole('button', { name: 'Yes' }).click(); // whether it is trusted
    await tree.getByText('west.cases.yaml').waitFor();
    writeFileSync(process.env.ABL_TEST_FOLDERS, folders);
    await tree.getByText('west.cases.yaml').waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: /Explorer/ }).first().click();
  },

  'a file renamed, and one deleted, while its tool runs': async () => {
    const ends = { south: () => rmSync(pathOf('south', 'leaving.tools.abl')), north: () => renameInExplorer('leaving.tools.abl', 'left.tools.abl') };
    for (const [folder, goes] of Object.entries(ends)) {
      await showOnly(folder, 'leaving.tools.abl');
      await clickLens(page, 'Run', 0, () => dialog().waitFor({ timeout: soon }));
      await allowHost();
      await until('the request', () => signal('held'));
      await goes();
      await release();
      await until('the result', async () => (await result()).value.includes('usual'));
      removeSignals('held');
      await (await result()).frame.getByRole('button', { name: 'Run Again' }).click();
      if (folder === 'south') { // its text is still open, and runs
        await dialog().getByRole('button', { name: 'Cancel' }).click();
      } else {
        await page.locator('.notification-toast', { hasText: 'leaving.tools.abl is not there any more' }).waitFor();
      }
    }
    renameSync(pathOf('north', 'left.tools.abl'), pathOf('north', 'leaving.tools.abl'));
  },

  'a case typed line by line, with what is suggested on the way': async () => {
    const file = pathOf('north', 'leaving.cases.yaml');
    writeFileSync(file, '');
    await showOnly('north', 'leaving.cases.yaml');
    await page.locator('.editor-instance .view-lines').click();
    const typed = ['leaving:', '  - name: waits', '    environment: dev', '    args:', '      note: leav', '    expect:', "      value: value.note == 'leav'"];
    for (const text of typed) {
      await press(page, 'Home');
      await press(page, 'Shift+End');
      await page.keyboard.type(text, { delay: 40 });
      await pause(300); // for the list to come
      await press(page, 'Enter');
    }
    await press(page, 'Control+S');
    await until('the file', () => readFileSync(file, 'utf8') !== '');
    assert.deepEqual(readFileSync(file, 'utf8').trimEnd().split('\n'), typed);
  },

  'a case edited and saved, and one deleted, while it runs': async () => {
    const file = pathOf('north', 'leaving.cases.yaml');
    const edits = [
      (text) => `# It is below another line now. 🛫\n${text}`,
      (text) => text.replace('waits', 'waited'),
    ];
    for (const edit of edits) {
      await showOnly('north', 'leaving.cases.yaml');
      await clickLens(page, 'Run', 0, () => dialog().waitFor({ timeout: soon }));
      await allowHost();
      await until('the request', () => signal('held'));
      writeFileSync(file, edit(readFileSync(file, 'utf8')));
      await until('the text', async () => (await line('waited').count()) + (await line('another line').count()) > 0);
      await release();
      removeSignals('held');
      await until('the verdict', async () => /Succeeded/.test((await result()).status));
      await page.locator('.glyph-margin-widgets .codicon-testing-passed-icon, .codicon-testing-passed-icon').first().waitFor();
    }
  },

  'an export of nothing': async () => {
    writeFileSync(pathOf('north', 'none.tools.abl'), 'TOOLS:\n  none() -> string\n    description: "Says nothing 🛫"\n    type: mcp\n    server: none\n');
    await showOnly('north', 'none.tools.abl');
    const nothing = page.locator('.notification-toast', { hasText: 'tools.yaml can say nothing of these tools. Left out: none' });
    await choose(() => command('ABL: Export the Tools of This File'), 'MCP Toolbox, tools.yaml', () => nothing.waitFor({ timeout: soon }));
    rmSync(pathOf('north', 'none.tools.abl'));
  },

  'colours that the server says': async () => {
    await showOnly('north', 'stage.tools.abl');
    const inspected = page.locator('.token-inspect-widget');
    for (const [text, word, type] of [
      ['stage() ->', 'stage', /semantic token type\s+function\s+modifiers\s+declaration\s+foreground\s+entity\.name\.function/],
      ['method: GET', 'GET', /semantic token type\s+enumMember\s+foreground\s+variable\.other\.enummember[^]*textmate scopes\s+source\.abl$/], // of which the grammar knows nothing
    ]) {
      await token(text, word).click();
      await command('Developer: Inspect Editor Tokens and Scopes');
      await until(`the colour of ${word}`, async () => type.test(await inspected.innerText()));
      await press(page, 'Escape');
      await inspected.waitFor({ state: 'detached' });
    }
  },

  'file icons that are seen in every theme': async () => {
    const icon = page.locator('.explorer-folders-view .abl-lang-file-icon').first();
    for (const forcedColors of ['none', 'active']) {
      for (const colorScheme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme, forcedColors });
        await pause(500);
        const { under, drawn } = await icon.evaluate(async (row) => {
          const image = /url\("(.*)"\)/.exec(getComputedStyle(row, '::before').backgroundImage);
          return { under: getComputedStyle(row.closest('.part')).backgroundColor, drawn: await (await fetch(image[1])).text() };
        });
        const ground = under.match(/\d+/g).map(Number);
        for (const [colour] of drawn.matchAll(/#[0-9a-f]{6}/g)) {
          const ink = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
          assert.ok(contrast(ink, ground) >= 3, `${colour} on ${under}, ${colorScheme}, ${forcedColors}`);
        }
        await shot(page, `icons-${forcedColors}-${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  },

  'a snippet of the server, accepted and filled in': async () => {
    await showOnly('north', 'wrong.tools.abl');
    const choice = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: /^new tool/ }).first();
    const selected = page.locator('.statusbar-item', { hasText: /selected\)/ });
    const fillIn = async () => {
      await command('File: Revert File');
      await page.locator('.tab.active:not(.dirty)').first().waitFor();
      await line('method: GTE').click();
      await press(page, 'Control+End');
      await page.keyboard.type('  new', { delay: 40 });
      await press(page, 'Control+Space');
      await choice.waitFor({ timeout: soon });
      await choice.click();
      for (const typed of ['ping', 'host', 'string', 'string', 'Pings a host', '/ping/{host}']) {
        await page.keyboard.type(typed);
        await until('the next place of the snippet', async () => {
          await press(page, 'Tab'); // the first one takes what is suggested, if anything is by now
          return selected.waitFor({ timeout: 1500 }).then(() => true, () => false);
        });
      }
      await press(page, 'Tab'); // takes the first of the choice
    };
    const tool = ['  ping(host: string) -> string', '    description: "Pings a host"', '    type: http', '    endpoint: "/ping/{host}"', '    method: GET'];
    await retryUntil(fillIn, async () => {
      for (const text of tool) {
        await line(text.trim()).waitFor({ timeout: soon });
      }
    });
    await shot(page, 'snippet');
    await command('File: Revert File');
  },

  'the result and the form in other windows, with what was typed': async () => {
    await showOnly('north', 'leaving.tools.abl');
    const column = page.locator('.editor-group-container', { has: tab('leaving.tools.abl') }); // the next one shows the lenses of another file
    await clickLens(page, 'Run', 0, () => dialog().waitFor({ timeout: soon }));
    await allowHost();
    await until('the request', () => signal('held'));
    await clickLens(page, 'Preview', 0, () => frameWith(page, '#status', soon));
    await (await result()).frame.getByRole('button', { name: 'Edit Arguments' }).click();
    const covered = await frameWith(page, 'form');
    await covered.locator('#where').getByText('Environment: dev · Folder: north', { exact: true }).waitFor();
    await showFile('south', 'stage.tools.abl');
    await waitForEnvironment('prod');
    await page.locator('.tab', { hasText: 'Run leaving' }).click();
    await waitForEnvironment('dev');
    await release();
    await page.locator('.statusbar', { hasText: 'The result of leaving is behind the form' }).waitFor();
    await covered.getByRole('button', { name: 'Cancel' }).click();
    await until('the result', async () => (await result()).value.includes('usual'));
    await clickLens(column, 'Preview', 0, () => until('the preview', async () => /this would be sent/.test((await result()).status), soon));
    await page.locator('.tab', { hasText: 'Result: leaving' }).click();
    const second = await moveToNewWindow(page);
    const shown = await frameWith(second, '#status');
    await shown.locator('#status', { hasText: 'this would be sent' }).waitFor();
    await shown.getByRole('button', { name: 'Edit Arguments' }).click();
    const owner = await until('the form', () => windowWith('form'));
    await (await frameWith(owner, 'form')).getByRole('textbox', { name: 'note' }).fill('typed');
    const third = await moveToNewWindow(owner);
    const form = await frameWith(third, 'form');
    assert.equal(await form.getByRole('textbox', { name: 'note' }).inputValue(), 'typed');
    await third.screenshot({ path: path.join(process.env.ABL_TEST_SHOTS, 'window.png') });
    const file = pathOf('north', 'leaving.tools.abl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('leaving(', 'leaving(why: string, '));
    await page.bringToFront();
    await line('leaving(why').waitFor();
    await clickLens(column, 'Run', 0, () => until('the form', async () => (await windowWith('[data-name=why]')) !== undefined, soon));
    const anew = await frameWith(await windowWith('[data-name=why]'), 'form');
    assert.equal(await anew.getByRole('textbox', { name: 'note' }).inputValue(), 'typed'); // the tool asks for more now
    await anew.getByRole('button', { name: 'Cancel' }).click();
    await until('the form to close', async () => (await windowWith('form')) === undefined);
  },

  'other YAML starts no server, and an agent in YAML does': async () => {
    const folder = path.join(root, 'plain');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'notes.yaml'), 'agents: none\n');
    const before = servers();
    const other = await open([['openFile', remote(path.join(folder, 'notes.yaml'))]], {}, { folder });
    const there = pageActions(other.page);
    await there.line('agents: none').waitFor();
    await other.page.getByRole('tab', { name: 'ABL', exact: true }).first().waitFor(); // the extensions are known
    await pause(2000);
    assert.deepEqual(servers(), before);
    writeFileSync(path.join(folder, 'desk.agent.yaml'), 'AGENT: Desk\n');
    const row = other.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'desk.agent.yaml' });
    await retryUntil(async () => {
      await there.command('Refresh Explorer'); // a machine may have no watcher left
      await row.dblclick({ timeout: soon });
    }, () => other.page.locator('.squiggly-warning').first().waitFor({ timeout: soon }));
    assert.equal(servers().length, before.length + 1);
    await other.browser.close();
  },
};

await runSteps(steps, page, browser);
