// Runs the code of a JavaScript tool, in any engine. It gives a function that takes a
// job as text; job.go says what is in one, answer.go what is answered.
//
// host.print takes console output, host.answer the one answer, host.full says
// whether there is no memory left. host.fail, which is put there, answers for an
// exception that comes another way.
(host) => {
  const AsyncFunction = (async () => {}).constructor;
  const { parse, stringify } = JSON;
  const { toString } = Object.prototype;
  const headLines = 2; // that the constructor of functions puts before a body
  const maxLines = 200; // that are read of a stack

  class Unfit extends Error {
    constructor(path, message) {
      super(message);
      this.path = path;
    }
  }

  // encode is JSON.stringify, which says where something is no JSON.
  const encode = (value, path, around) => {
    switch (typeof value) {
      case "string":
        return stringify(value);
      case "boolean":
      case "bigint":
        return String(value);
      case "number":
        if (!Number.isFinite(value)) throw new Unfit(path, `is ${value}, which JSON does not have`);
        return stringify(value);
      case "undefined":
        return "null";
      case "object":
        return value === null ? "null" : encodeObject(value, path, around);
    }
    throw new Unfit(path, `is a ${typeof value}, which is no JSON value`);
  };

  const encodeObject = (value, path, around) => {
    if (typeof value.toJSON === "function") return encode(value.toJSON(), path, around);
    if (around.includes(value)) throw new Unfit(path, "contains itself");
    const inside = [...around, value];
    if (Array.isArray(value)) {
      return `[${Array.from(value, (v, i) => encode(v, `${path}[${i}]`, inside)).join(",")}]`;
    }
    const kind = toString.call(value).slice(8, -1);
    if (kind !== "Object") throw new Unfit(path, `is a ${kind}, which is no JSON value`);
    const members = Object.entries(value).filter(([, v]) => v !== undefined);
    const member = ([k, v]) => `${stringify(k)}:${encode(v, path ? `${path}.${k}` : k, inside)}`;
    return `{${members.map(member).join(",")}}`;
  };

  // show is a value as the console shows it.
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (typeof value === "function") return `[function ${value.name}]`;
    if (typeof value !== "object" || value === null) return String(value);
    try {
      return stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v)) ?? String(value);
    } catch {
      return toString.call(value);
    }
  };
  const log = (...values) => host.print(`${values.map(show).join(" ")}\n`);
  const methods = ["log", "info", "warn", "error", "debug", "trace", "dir", "table"];
  globalThis.console = Object.fromEntries(methods.map((name) => [name, log]));
  console.assert = (good, ...values) => void (good || log("Assertion failed:", ...values));

  // frames are the lines of the code that a stack names, innermost first.
  const frames = (stack) => {
    const found = [];
    for (const text of String(stack ?? "").split("\n", maxLines)) {
      const m = /^\s*at (?:async )?(?:(.*?) )?\(?.*?(?:<input>|<anonymous>):(\d+)(?::\d+)?\)?$/.exec(text);
      if (!m || m[2] <= headLines) continue;
      const name = m[1] ?? "";
      found.push({ in: name === "anonymous" || name === "eval" ? "" : name, line: m[2] - headLines });
    }
    return found;
  };

  const fault = (thrown, kind) => {
    const isError = thrown instanceof Error;
    const name = isError ? thrown.name : "";
    const message = isError ? thrown.message : show(thrown);
    const outOf = name === "InternalError" && message === "out of memory";
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
      text = encode(value, "", []);
    } catch (thrown) {
      return fail(thrown, thrown instanceof Unfit ? "result" : "thrown");
    }
    host.answer(`{"value":${text}}\n`);
  };

  // big puts integers back that a number would not hold.
  const big = (values, path) => {
    const last = path.pop();
    const at = path.reduce((v, key) => v[key], values);
    at[last] = BigInt(at[last]);
  };

  const isNoName = (name) => {
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
      for (const path of job.big) big(job.values, path);
      const wrong = job.names.find(isNoName);
      if (wrong !== undefined) return host.answer(`{"error":{"kind":"name","message":${stringify(wrong)}}}\n`);
      kind = "syntax";
      const run = new AsyncFunction(...job.names, job.code);
      kind = "thrown";
      succeed(await run(...job.names.map((name) => job.values[name])));
    } catch (thrown) {
      fail(thrown, kind);
    }
  };
}
