// Runs the suite inside VS Code's extension host, and ends as it does.
import { open, remote } from './browser.mjs';

let done;
const code = new Promise((resolve) => (done = resolve));
const { browser } = await open(
  [
    ['extensionDevelopmentPath', remote(process.env.ABL_TEST_EXTENSION)],
    ['extensionTestsPath', remote(process.env.ABL_TEST_SUITE)],
  ],
  {
    codeAutomationExit: (exit) => done(exit),
    codeAutomationLog: (type, args) => console.log(type, ...args),
  },
  undefined,
  { width: 800, height: 600 }, // nobody looks at it
);
const exit = await code;
await browser.close();
process.exit(exit);
