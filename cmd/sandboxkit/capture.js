// Runs once, when the kit is made: learns what the polyfills make of the data of each
// locale, so that lazy.js can do it when a locale is first asked for.
globalThis.captured = { locales: [], zones: {} };

for (const name of ["NumberFormat", "DateTimeFormat"]) {
  const type = Intl[name];
  const add = type.__addLocaleData;
  type.__addLocaleData = (...all) => {
    for (const data of all) {
      const before = new Set(Object.keys(type.localeData));
      // How a range of dates is shortened is most of the work of reading a locale.
      const { intervalFormatFallback } = data.data.intervalFormats ?? {};
      if (intervalFormatFallback) data.data.intervalFormats = { intervalFormatFallback };
      const text = JSON.stringify(data);
      add(data);
      const tags = Object.keys(type.localeData).filter((tag) => !before.has(tag));
      captured.locales.push({ name, tags: [...new Set([data.locale, ...tags])], text });
    }
  };
}

Intl.DateTimeFormat.__addTZData = (data) => {
  captured.zones = data;
};
