// Text of others, where VS Code would take it for more than text.

/** A text in which a notification finds no link: it would run the command of
 * `[text](command:…)` when that is clicked, whoever has written it. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** A text in which VS Code finds no icon: in lenses, in the status bar and in lists it
 * would draw one for `$(name)`. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060('); // a joiner of words, which has no width
}

/** A text that is read in the order in which it is written: what would turn it around, and
 * with it what stands behind it in a question, is written out. */
export function escapeBidi(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, escapeCharacter);
}

const colours = /\x1b\[[0-9;]*m/g;

/** What was printed for a terminal, without its colours. */
export function withoutColours(text: string): string {
  return text.replace(colours, '');
}

const controlCharacters = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Lines as a terminal takes them: what would move its cursor, ask it for something or
 * turn the text around is written out. Colours go. */
export function terminalLines(text: string): string {
  const uncoloured = withoutColours(text).replaceAll('\r\n', '\n').trimEnd();
  const shown = uncoloured.replace(controlCharacters, escapeCharacter);
  return `${shown.replaceAll('\n', '\r\n')}\r\n`;
}

function escapeCharacter(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
