// Runs a handler of a module under Node; the arguments are what values.js of
// executor/javascript gives. See talk.go for what is said on both sides: what comes in
// is read from descriptor 0, what goes out is written to descriptor 1, each a line of
// JSON. A line of ours begins with a word that only this program knows, which came
// first; whatever else is printed is the module's console.
({ Unfit, encode, show, big }) => {
  const fs = require("node:fs");
  const net = require("node:net");
  const path = require("node:path");
  const tls = require("node:tls");
  const { createRequire, syncBuiltinESMExports, ...modules } = require("node:module");
  const { Writable, Readable } = require("node:stream");
  const { pathToFileURL, fileURLToPath } = require("node:url");
  const node = process;
  const { parse } = JSON;
  const { Buffer, Error, Map, Object, Promise, Symbol, String } = globalThis;
  const { defineProperty, getOwnPropertyNames, getPrototypeOf, hasOwn } = Object;
  const { toString } = Object.prototype;
  const { asyncIterator, iterator } = Symbol;
  const maxCauses = 5; // that are read of an exception

  const write = (to, text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) {
      try {
        at += fs.writeSync(to, bytes, at);
      } catch (thrown) {
        if (thrown.code !== "EAGAIN") throw thrown;
      }
    }
  };

  let word = "";
  const say = (text) => write(1, `\n${word}${text}\n`); // a line of its own, whatever the module has written there
  const end = (text) => {
    say(text);
    node.reallyExit(0);
  };

  // Exceptions, as answer.go reads them.
  const frames = (stack) => {
    const found = [];
    for (const line of String(stack ?? "").split("\n")) {
      const m = /^\s*at (?:async )?(?:(.*?) \()?(?:file:\/\/)?(\/[^()]*|[A-Za-z]:[\\/][^()]*|\/[A-Za-z]:\/[^()]*):(\d+):\d+\)?$/.exec(line);
      if (m) found.push({ in: m[1] ?? "", file: line.includes("file://") ? fileURLToPath(`file://${m[2]}`) : m[2], line: Number(m[3]) });
    }
    return found;
  };
  const told = (thrown) => (thrown instanceof Error ? [thrown.name, thrown.message] : ["", show(thrown)]);
  const fault = (kind, thrown) => {
    const causes = [];
    let refused = 0;
    for (let at = thrown; at instanceof Error && causes.length < maxCauses; at = at.cause) {
      refused ||= at[asked] ?? at.errors?.find((e) => e[asked])?.[asked] ?? 0;
      if (at !== thrown) causes.push(String(at.message || at.code || at.name));
    }
    const [name, message] = told(thrown);
    return {
      kind,
      name: String(name),
      message: [message, ...causes].map(String).filter((text) => text !== "").join(": "),
      code: String(thrown?.code ?? ""),
      path: thrown instanceof Unfit ? thrown.path : "",
      refused,
      frames: thrown instanceof Error ? frames(thrown.stack) : [],
    };
  };
  const fail = (kind, thrown) => {
    let text;
    try {
      text = encode({ error: fault(kind, thrown) });
    } catch {
      text = '{"error":{"kind":"thrown","message":"it threw something that cannot be shown"}}';
    }
    end(text);
  };
  const attempt = async (kind, f) => {
    try {
      return await f();
    } catch (thrown) {
      return fail(thrown instanceof Unfit ? "result" : kind, thrown);
    }
  };

  // Questions, and their answers by number.
  const asked = Symbol("the number of a question that was refused");
  const waiting = new Map();
  let questions = 0;
  const input = new net.Socket({ fd: 0, readable: true, writable: false });
  const ask = (question) =>
    new Promise((resolve) => {
      questions += 1;
      waiting.set(questions, resolve);
      input.ref();
      say(encode({ id: questions, ...question }));
    });
  const answered = (answer) => {
    const resolve = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) input.unref();
    resolve?.(answer);
  };

  // Connections: each is asked for, and made where the answer says. What is no TCP
  // leads nowhere that a jail has.
  const door = "\0door"; // a path that no socket has: where a question is still to be asked
  const byPath = node.platform !== "win32";
  const route = () => {
    const { connect } = net.Socket.prototype;
    net.Socket.prototype.connect = function (...args) {
      const [options, listener] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
      if (options.port === undefined || (options.path && options.path !== door)) return connect.apply(this, args);
      if (listener) this.once("connect", listener);
      this.connecting = true;
      ask({ open: { host: String(options.host || "localhost"), port: String(options.port) } }).then((way) => {
        if (this.destroyed) return;
        this.connecting = false;
        if (way.error) {
          const refusal = Object.assign(new Error(way.error), { code: way.code, [asked]: way.refused ? way.id : 0 });
          this.destroy(refusal);
          return;
        }
        connect.call(this, byPath ? { path: way.path } : { host: "127.0.0.1", port: way.port });
      });
      return this;
    };
    const { connect: secure } = tls;
    tls.connect = (...args) => {
      const [given, listener] = net._normalizeArgs(args);
      const options = { ...given, ...args.find((arg) => typeof arg === "object" && arg !== null) };
      if (byPath && !options.socket && !options.path) options.path = door;
      return secure(options, ...(listener ? [listener] : []));
    };
    syncBuiltinESMExports();
  };

  // What the module prints is console, by whatever way.
  const quiet = () => {
    const out = () => new Writable({ decodeStrings: false, write: (text, _, done) => done(void write(2, text)) });
    for (const name of ["stdout", "stderr"]) defineProperty(node, name, { value: out(), configurable: true });
    defineProperty(node, "stdin", { value: Readable.from([]), configurable: true });
  };

  // A module that was translated is given to Node as if its file read so.
  const serve = (url, source) => {
    if (modules.registerHooks) {
      modules.registerHooks({ load: (at, about, next) => (at === url ? { format: "module", source, shortCircuit: true } : next(at, about)) });
      return;
    }
    const hook = `let given;
export const initialize = (data) => { given = data };
export const load = (at, about, next) => at === given.url ? { format: "module", source: given.source, shortCircuit: true } : next(at, about);`;
    modules.register(`data:text/javascript,${encodeURIComponent(hook)}`, { data: { url, source } });
  };

  // find is the function of that name: exported, in an exported object or an instance of
  // a class, or exported as the default one. CommonJS that was a module has a default of
  // its own.
  const holders = (exported) => {
    const own = exported.default?.__esModule ? exported.default.default : undefined;
    const all = [exported, exported.default, own].filter(isObject);
    return [...new Set([...all, ...all.flatMap((h) => Object.values(h)).filter(isObject)])];
  };
  const isObject = (v) => typeof v === "object" && v !== null;
  const owners = (h) => (toString.call(h) === "[object Object]" ? [h, ...classes(getPrototypeOf(h))] : [h]);
  const classes = (at) => (at === null || at === Object.prototype ? [] : [at, ...classes(getPrototypeOf(at))]);
  const has = (h, name) => name !== "constructor" && owners(h).some((o) => hasOwn(o, name)) && typeof h[name] === "function";
  const find = (exported, name) => {
    const holder = holders(exported).find((h) => has(h, name));
    if (holder) return holder[name].bind(holder);
    const { default: only } = exported;
    return typeof only === "function" && only.name === name ? only : undefined;
  };
  const names = (exported) => {
    const of = (h) => owners(h).flatMap(getOwnPropertyNames).filter((name) => has(h, name));
    return [...new Set(holders(exported).flatMap(of))].sort();
  };

  // A generator gives its answer in pieces, and may end with a whole one.
  const collect = async (pieces) => {
    const next = pieces[asyncIterator] ? pieces[asyncIterator]() : pieces[iterator]();
    for (;;) {
      const { value, done } = await next.next();
      if (done) return end(`{"done":true,"value":${encode(value)}}`);
      say(`{"chunk":${encode(value)}}`);
    }
  };
  const isGenerator = (v) => typeof v === "object" && v !== null && (typeof v[asyncIterator] === "function" || (typeof v[iterator] === "function" && typeof v.next === "function"));

  const oldest = 20;
  const run = async (job) => {
    if (Number.parseInt(node.versions.node, 10) < oldest) return end(encode({ error: { kind: "old", message: node.versions.node } }));
    const abort = new AbortController();
    stop = (reason) => abort.abort(new DOMException(reason, "AbortError"));
    if (job.source !== null) serve(job.url, job.source);
    globalThis.require ??= createRequire(job.url);
    const exported = await attempt("load", () => import(job.url));
    const handler = find(exported, job.handler);
    if (!handler) return end(encode({ error: { kind: "handler", message: names(exported).join(", ") } }));
    const { args, settings, auth, session } = big(job.values, job.big);
    const requestPermission = async (...said) => {
      const isOne = said.length === 1 && typeof said[0] === "object" && said[0] !== null;
      const [kind, resource, op] = isOne ? [said[0].kind, said[0].resource, said[0].op] : said;
      if (![kind, resource, op].every((word) => typeof word === "string" && word !== "")) {
        throw new TypeError("requestPermission wants three texts: a kind, a resource and an operation");
      }
      return (await ask({ permission: { kind, resource, op } })).granted;
    };
    return attempt("thrown", async () => {
      const result = await handler(args, { settings, auth, session, signal: abort.signal, requestPermission });
      if (isGenerator(result)) return collect(result);
      return end(`{"value":${encode(result)}}`);
    });
  };

  let stop = () => {};
  const hear = (line) => {
    const said = parse(line);
    if (said.word !== undefined) {
      word = said.word;
      run(said);
    } else if (said.abort !== undefined) stop(said.abort);
    else answered(said);
  };
  let rest = [];
  input.on("data", (data) => {
    for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10)) {
      const line = Buffer.concat([...rest, data.subarray(0, at)]).toString();
      rest = [];
      data = data.subarray(at + 1);
      if (waiting.size === 0) input.unref();
      hear(line);
    }
    rest.push(data);
  });
  input.on("end", () => node.reallyExit(1)); // what started this is gone
  node.on("beforeExit", () => end('{"error":{"kind":"pending"}}'));
  node.on("uncaughtException", (thrown) => fail("thrown", thrown));
  node.on("unhandledRejection", (thrown) => write(2, `unhandled rejection: ${told(thrown).filter((text) => text !== "").join(": ")}\n`));
  quiet();
  route();
}
