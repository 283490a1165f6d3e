// Runs once, when the kit is made, and is saved with the engine: the data of a locale
// or a time zone stay text until they are first asked for.
((captured) => {
  for (const { name, tags, text } of captured.locales) {
    const type = Intl[name];
    const load = () => {
      for (const tag of tags) delete type.localeData[tag];
      type.__addLocaleData(JSON.parse(text));
    };
    for (const tag of tags) {
      type.availableLocales.add(tag);
      Object.defineProperty(type.localeData, tag, {
        configurable: true,
        enumerable: true,
        get: () => (load(), type.localeData[tag]),
      });
    }
  }

  const abbreviations = captured.zones.abbrvs.split("|");
  const offsets = captured.zones.offsets.split("|").map((n) => parseInt(n, 36));
  const change = ([from, name, offset, summer]) => [
    from === "" ? -Infinity : parseInt(from, 36), abbreviations[+name], offsets[+offset], summer === "1",
  ];
  const zones = (Intl.DateTimeFormat.tzData = {});
  for (const line of captured.zones.zones) {
    const zone = line.slice(0, line.indexOf("|"));
    const load = () => line.split("|").slice(1).map((part) => change(part.split(",")));
    Object.defineProperty(zones, zone, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = load();
        Object.defineProperty(zones, zone, { value });
        return value;
      },
    });
  }

  Intl.NumberFormat.__defaultLocale = "en";
  Intl.DateTimeFormat.__setDefaultTimeZone("UTC");

  // What is asked for most is there at once.
  new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(1);
  new Intl.DateTimeFormat("en-US").format(0);
})
