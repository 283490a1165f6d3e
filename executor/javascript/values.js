// What the drivers of JavaScript know of values. It gives what it has.
(() => {
  const { stringify } = JSON;
  const { toString } = Object.prototype;

  class Unfit extends Error {
    constructor(path, message) {
      super(message);
      this.path = path;
    }
  }

  const maxDepth = 1000; // of lists and objects in each other

  // encode is JSON.stringify, which says where something is no JSON.
  const encode = (value, path = "", around = []) => {
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
    if (around.length >= maxDepth) throw new Unfit("", `has more than ${maxDepth} lists and objects in each other`);
    if (around.includes(value)) throw new Unfit(path, "contains itself");
    const inside = [...around, value];
    if (Array.isArray(value)) {
      return `[${Array.from(value, (v, i) => encode(v, `${path}[${i}]`, inside)).join(",")}]`;
    }
    const kind = toString.call(value).slice(8, -1);
    if (kind !== "Object") throw new Unfit(path, `is ${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}, which is no JSON value`);
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

  // big puts integers back that a number would not hold: the strings at some paths.
  const big = (values, paths) => {
    for (const path of paths) {
      const last = path.pop();
      const at = path.reduce((v, key) => v[key], values);
      at[last] = BigInt(at[last]);
    }
    return values;
  };

  return { Unfit, encode, show, big };
})()
