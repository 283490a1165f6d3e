// What the UI tests do in VS Code.
import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { patience } from './browser.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** until waits for something to be true. */
export async function until(what, look, time = patience) {
  const end = Date.now() + time;
  while (Date.now() < end) {
    const found = await look();
    if (found) {
      return found;
    }
    await pause(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

/** frameWith is the web view in which a selector stands. */
export function frameWith(page, selector, time = patience) {
  const look = async () => {
    for (const frame of page.frames()) {
      try {
        if (await frame.locator(selector).first().isVisible()) {
          return frame;
        }
      } catch {
        // a frame that has just gone
      }
    }
    return undefined;
  };
  return until(`a web view with ${selector}`, look, time);
}

/** How long, in ms, what an act brings may take before the act counts as lost, and is done again. */
export const soon = 20_000;

/** clickLens clicks a lens until what it does shows: a click is lost when VS Code draws the
 * lens again between press and release. page may be a part of one. */
export function clickLens(page, title, nth, shows, first = () => undefined) {
  const link = page.locator('.codelens-decoration a:visible', { hasText: new RegExp(`^${title}$`) }).nth(nth);
  return retryUntil(async () => {
    await first();
    await link.hover({ timeout: soon });
    await pause(400);
    await link.click({ delay: 40, timeout: soon });
  }, shows);
}

/** retryUntil does something until it shows: VS Code may draw anew just then. What cannot be done
 * any more may have been done before, and shows late. */
export async function retryUntil(act, shows) {
  let last;
  for (let i = 0; i < 5; i++) {
    const failed = await Promise.resolve().then(act).then(() => undefined, (error) => error);
    try {
      return await shows();
    } catch (error) {
      last = failed ?? error;
    }
  }
  throw last;
}

/** pageActions returns what a person looks for and does in one page of VS Code. */
export function pageActions(page) {
  const line = (text) => page.locator('.view-line', { hasText: text }).first();
  const dialog = () => page.locator('.monaco-dialog-box');
  const tab = (name) => page.locator(`.tab[data-resource-name="${name}"]`);
  const box = page.locator('.quick-input-widget:visible .quick-input-box input');
  const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  /** Takes one of the choices in an open list, by the keyboard. The first one may have a longer name. */
  const accept = async (name) => {
    const taken = rows.and(page.locator('.focused')).getByText(name, { exact: true });
    await until(`${name} in the list`, async () => (await taken.count()) > 0 || box.press('ArrowDown', { timeout: soon }), soon);
    await box.press('Enter', { timeout: soon });
  };
  /** Opens a list, and takes one of its choices, and of the lists that follow, until what this brings shows. It begins
   * again if a list closes: that happens when something else takes the keyboard. */
  const choose = (opens, names, shows) => retryUntil(async () => {
    await opens();
    for (const name of [names].flat()) {
      await rows.getByText(name, { exact: true }).first().waitFor({ timeout: soon }); // not the list before it
      await box.fill(name, { timeout: soon });
      await accept(name);
    }
  }, shows);
  /** Presses keys until what they bring is there. */
  const keys = (pressed, brings) => retryUntil(() => press(page, pressed), () => brings.first().waitFor({ timeout: soon }));
  return {
    line,
    dialog,
    tab,
    keys,
    token: (text, word) => line(text).getByText(word, { exact: true }).first(),

    /** Answers the question about the host of the test's API. */
    allowHost: async () => {
      await dialog().getByText(/wants to reach 127/).waitFor();
      await dialog().getByRole('button', { name: 'Allow This Time' }).click();
    },

    choose,

    /** Does a command of the palette. */
    command: (name) => retryUntil(async () => {
      await retryUntil(() => press(page, 'F1'), () => box.waitFor({ timeout: 3000 }));
      await box.fill(`>${name}`, { timeout: 3000 });
    }, () => accept(name)),

    /** Opens a file by its name. */
    openFile: (name) => choose(async () => {
      await retryUntil(() => press(page, 'Control+P'), () => box.waitFor({ timeout: 3000 }));
      await box.fill(name, { timeout: 3000 });
    }, name, () => page.locator('.editor-group-container.active').locator(tab(name).and(page.locator('.active'))).waitFor({ timeout: soon })),

    /** Trusts the folders, in the page that something opens. */
    trust: async (opens) => {
      const editor = page.locator('.workspace-trust-editor');
      const yes = editor.getByRole('button', { name: 'Trust', exact: true });
      await retryUntil(opens, () => yes.waitFor({ timeout: soon })); // a toast that still moves takes no click
      await yes.click();
      await editor.getByText(/^You trust this/).first().waitFor();
      await page.locator('.monaco-modal-editor-block .codicon-close').first().click();
    },

    result: async () => {
      const frame = await frameWith(page, '#status');
      return { frame, status: await frame.locator('#status').innerText(), value: await frame.locator('#value').innerText() };
    },
  };
}

/** runSteps runs the steps in order, and ends with the first one that fails. While one writes a step, the
 * regular expression ABL_TEST_STEPS chooses it with those on which it builds. */
export async function runSteps(steps, page, browser) {
  const wanted = new RegExp(process.env.ABL_TEST_STEPS ?? '');
  for (const [name, step] of Object.entries(steps).filter(([name]) => wanted.test(name))) {
    const from = Date.now();
    try {
      await step();
      console.log(`ok    ${name} (${Date.now() - from} ms)`);
    } catch (error) {
      console.log(`FAIL  ${name}: ${error.stack.slice(0, 1500)}`);
      await shot(page, `failed-${path.basename(process.argv[1], '.mjs')}`);
      await browser.close();
      process.exit(1);
    }
  }
  await browser.close();
}

export const signal = (name) => existsSync(path.join(process.env.ABL_TEST_SIGNALS, name));
export const removeSignals = (...names) => names.forEach((name) => rmSync(path.join(process.env.ABL_TEST_SIGNALS, name), { force: true }));

/** The processes of the server that comes from the installed extension. */
export function servers() {
  return readdirSync('/proc').filter(Number).map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`).startsWith(path.join(process.env.ABL_TEST_SIGNALS, 'ext'));
    } catch {
      return false; // it has ended, or is another's
    }
  });
}

export async function press(page, key) {
  await page.keyboard.press(key);
  await pause(100);
}

export async function shot(page, name) {
  await page.screenshot({ path: path.join(process.env.ABL_TEST_SHOTS, `${name}.png`) });
}
