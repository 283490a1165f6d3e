// Runs the code of a JavaScript tool, in any engine. It takes what values.js of
// executor/javascript gives, then a host, and gives a function that takes a job as
// text; job.go says what is in one, answer.go what is answered.
//
// host.print takes console output, host.answer the one answer, host.full says
// whether there is no memory left. host.fail, which is put there, answers for an
// exception that comes another way.
({ Unfit, encode, show, big }) => (host) => {
  const AsyncFunction = (async () => {}).constructor;
  const { parse, stringify } = JSON;
  const headLines = 2; // that the constructor of functions puts before a body
  const maxLines = 200; // that are read of a stack

  // A mark before each line says its level; executor.ReadConsole removes it.
  const printer = (mark) => (...values) => host.print(`${values.map(show).join(" ").replace(/^/gm, mark)}\n`);
  const log = printer("");
  const levels = { log: "", info: "", trace: "", dir: "", table: "", debug: "\x1dD", warn: "\x1dW", error: "\x1dE" };
  globalThis.console = Object.fromEntries(Object.entries(levels).map(([name, mark]) => [name, printer(mark)]));
  console.assert = (good, ...values) => void (good || log("Assertion failed:", ...values));

  // frames are the lines of the code that a stack names, innermost first.
  const frames = (stack) => {
    const found = [];
    for (const text of String(stack ?? "").split("\n", maxLines)) {
      const m = /^\s*at (?:async )?(?:(.*?) )?\(?.*?(?:<input>|<anonymous>):(\d+)(?::\d+)?\)?$/.exec(text);
      const name = m?.[1] ?? "";
      if (!m || m[2] <= headLines || name === "<eval>") continue; // eval has lines of its own
      found.push({ in: name === "anonymous" || name === "eval" ? "" : name, line: m[2] - headLines });
    }
    return found;
  };

  const fault = (thrown, kind) => {
    const isError = thrown instanceof Error;
    const name = isError ? thrown.name : "";
    const message = isError ? thrown.message : show(thrown);
    const outOf = (name === "InternalError" && message === "out of memory") || (isError && thrown.code === "ENOSPC");
    return {
      kind: outOf || host.full() ? "memory" : kind,
      name: String(name),
      message: String(message),
      path: thrown instanceof Unfit ? thrown.path : "",
      frames: isError ? frames(thrown.stack) : [],
    };
  };

  const fail = (thrown, kind) => {
    let error;
    try {
      error = stringify(fault(thrown, kind));
    } catch {
      error = '{"kind":"thrown","message":"the code threw something that cannot be shown"}';
    }
    host.answer(`{"error":${error}}\n`);
  };

  const succeed = (value) => {
    let text;
    try {
      text = encode(value);
    } catch (thrown) {
      return fail(thrown, thrown instanceof Unfit ? "result" : "thrown");
    }
    host.answer(`{"value":${text}}\n`);
  };

  const isNoName = (name) => {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) return true;
    try {
      new AsyncFunction(name, "");
      return false;
    } catch {
      return true;
    }
  };

  host.fail = fail;
  return async (text) => {
    let kind = "thrown";
    try {
      const job = parse(text);
      big(job.values, job.big);
      const wrong = job.names.find(isNoName);
      if (wrong !== undefined) return host.answer(`{"error":{"kind":"name","message":${stringify(wrong)}}}\n`);
      kind = "syntax";
      const run = new AsyncFunction(...job.names, job.code);
      kind = "thrown";
      const value = (name) => (Object.hasOwn(job.values, name) ? job.values[name] : undefined);
      succeed(await run(...job.names.map(value)));
    } catch (thrown) {
      fail(thrown, kind);
    }
  };
}
