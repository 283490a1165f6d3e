// A browser that shows VS Code.
import { chromium } from 'playwright-core';

export const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** How long to wait for what shall come, in ms: it bounds failing tests only, and machines are busy. */
export const patience = 120_000;

/** open shows a page of VS Code, with what is given to it besides its folder, or its folders. Drawing
 * takes time that grows with the viewport. */
export async function open(payload, expose = {}, at = { folder: process.env.ABL_TEST_WORKSPACE }, viewport = { width: 1400, height: 900 }) {
  const browser = await chromium.launch({ executablePath: process.env.ABL_TEST_CHROMIUM, args: flags, headless: true, timeout: patience });
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await page.addInitScript(stopAnimations);
  page.setDefaultTimeout(patience);
  for (const [name, does] of Object.entries(expose)) {
    await page.exposeFunction(name, does);
  }
  if (Object.keys(expose).length > 0) {
    await page.addInitScript(enableTestDriver);
  }
  const query = new URLSearchParams({ ...at, payload: JSON.stringify(payload) });
  await page.goto(`${process.env.ABL_TEST_URL}/?${query}`);
  return { browser, page };
}

/** stopAnimations keeps the workbench from moving anything: this machine's processor draws it all,
 * and scroll bars that fade take a quarter of its time. */
function stopAnimations() {
  document.addEventListener('DOMContentLoaded', () => {
    if (window === window.top) { // a page of ours moves as it does
      const still = document.createElement('style');
      still.textContent = '*, ::before, ::after { animation: none !important; transition: none !important }';
      document.head.append(still);
    }
  });
}

/** enableTestDriver has the page's VS Code call functions of ours. Older ones have no option for it. */
function enableTestDriver() {
  const look = (_, observer) => {
    const meta = document.getElementById('vscode-workbench-web-configuration');
    if (meta) {
      observer.disconnect();
      const settings = JSON.parse(meta.dataset.settings);
      settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
      meta.dataset.settings = JSON.stringify(settings);
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

/** remote is a file as VS Code names it in a browser. */
export function remote(file) {
  return `vscode-remote://${new URL(process.env.ABL_TEST_URL).host}${file}`;
}
