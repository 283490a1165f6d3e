// Text of others, where VS Code would take it for more than text.

/** A text in which a notification finds no link: it would run the command of
 * `[text](command:…)` when that is clicked, whoever has written it. */
export function linkless(text: string): string {
  return text.replaceAll('](', '] (');
}

/** A text in which VS Code finds no icon: in lenses, in the status bar and in lists it
 * would draw one for `$(name)`. */
export function iconless(text: string): string {
  return text.replaceAll('$(', '$\u2060('); // a joiner of words, which has no width
}

const colours = /\x1b\[[0-9;]*m/g;
const steering = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Lines as a terminal takes them: what would move its cursor, ask it for something or
 * turn the text around is written out. Colours go. */
export function forTerminal(text: string): string {
  const bare = text.replace(colours, '').replaceAll('\r\n', '\n').trimEnd();
  const shown = bare.replace(steering, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${shown.replaceAll('\n', '\r\n')}\r\n`;
}
