// The hands of the UI tests. Times bound failing tests only.
import path from 'node:path';

const patience = 30_000;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** until waits for something to be true. */
export async function until(what, look, time = patience) {
  const end = Date.now() + time;
  while (Date.now() < end) {
    const found = await look();
    if (found) {
      return found;
    }
    await pause(50);
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

/** lens clicks a lens until what it does shows: a click is lost when VS Code draws the
 * lens again between press and release. */
export function lens(page, title, nth, shows) {
  const link = page.locator('.codelens-decoration a', { hasText: new RegExp(`^${title}$`) }).nth(nth);
  return again(async () => {
    await link.hover();
    await pause(400);
    await link.click({ delay: 40 });
  }, shows);
}

/** again does something until it shows: VS Code may draw anew just then. */
export async function again(act, shows) {
  let last;
  for (let i = 0; i < 5; i++) {
    try {
      await act();
      return await shows();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

export async function press(page, key) {
  await page.keyboard.press(key);
  await pause(100);
}

export async function shot(page, name) {
  await page.screenshot({ path: path.join(process.env.ABL_TEST_SHOTS, `${name}.png`) });
}
