// Has Node run the driver, a function that driver.js gives: see engine.go for how it
// speaks with this program. The code does not get what only Node has.
(driver) => {
  const { readSync, writeSync } = require("node:fs");
  const node = process;
  const { Buffer } = globalThis;
  const write = (to, text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at);
  };
  const readLine = () => {
    const parts = [];
    const part = Buffer.alloc(1 << 16);
    for (;;) {
      const n = readSync(0, part);
      if (n === 0) node.exit(1); // what started this is gone
      parts.push(Buffer.from(part.subarray(0, n)));
      if (part[n - 1] === 10) return Buffer.concat(parts).toString();
    }
  };
  const answer = (text) => {
    write(2, `\n${text}`); // a line of its own, whatever the code has written there
    node.reallyExit(0);
  };
  const host = { print: (text) => write(1, text), answer, full: () => false };
  const run = driver(host);
  node.on("beforeExit", () => answer('{"error":{"kind":"pending"}}\n'));
  node.on("uncaughtException", (thrown) => host.fail(thrown, "thrown"));
  node.on("unhandledRejection", () => {}); // as in QuickJS: nobody waits for it
  const own = ["process", "require", "module", "exports", "__filename", "__dirname", "global", "Buffer", "fetch"];
  write(2, '{"ready":true}\n');
  const text = readLine();
  for (const name of own) delete globalThis[name];
  run(text);
}
