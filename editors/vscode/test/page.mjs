// Opens the pages of the web views without VS Code around them, with its policy.
import assert from 'node:assert/strict';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { flags } from './browser.mjs';

const browser = await chromium.launch({ executablePath: process.env.ABL_TEST_CHROMIUM, args: flags });

/** load opens a page of the extension, with its policy, and gives it a message. */
export async function load(name, message) {
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
const policy = `default-src 'none'; img-src data:; media-src data:; style-src ${origin}; script-src 'nonce-n'`; // as src/panel.ts has it

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
export const tell = (page, message) => page.evaluate((content) => window.postMessage(content), message);

/** tab chooses a view of a result. */
export const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();

/** unnamed are the controls that a screen reader has no name for. */
export function unnamed(page) {
  return page.locator('input, select, textarea, button, img').evaluateAll((all) =>
    all.filter((e) => !(e.labels?.length || e.getAttribute('aria-label') || e.getAttribute('alt') || e.textContent?.trim())).map((e) => e.outerHTML),
  );
}

/** runAll runs functions that test pages, and says how long each took. */
export async function runAll(...steps) {
  for (const step of steps) {
    const from = Date.now();
    await step();
    console.log(`${step.name}: ${Date.now() - from} ms`);
  }
  await browser.close();
}

export const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] };

/** The content of a form. */
export const content = { tool: 'everything', description: 'Has it all', schema: { type: 'object' }, more: { type: 'object' }, values: {}, error: '', doing: 'Run', typed: false, json: false };
