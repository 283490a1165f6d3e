// Makes text of others safe to show where VS Code would interpret it.

/** Returns a text in which a notification finds no link: a click would run the command of
 * `[text](command:…)`, whoever has written it. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Returns a text in which VS Code finds no icon: in lenses, in the status bar and in lists it
 * would draw one for `$(name)`. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060('); // a word joiner, which has no width
}

/** Returns a text that is read in the order in which it was written: it escapes characters that would
 * reverse the text and what follows it in a question. */
export function escapeBidi(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, escapeCharacter);
}

const colours = /\x1b\[[0-9;]*m/g;

/** Returns output for a terminal without its colours. */
export function withoutColours(text: string): string {
  return text.replace(colours, '');
}

const controlCharacters = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Returns lines for a terminal, without colours. Characters that would move its cursor, make it
 * answer or reverse the text are escaped. */
export function terminalLines(text: string): string {
  const uncoloured = withoutColours(text).replaceAll('\r\n', '\n').trimEnd();
  const shown = uncoloured.replace(controlCharacters, escapeCharacter);
  return `${shown.replaceAll('\n', '\r\n')}\r\n`;
}

function escapeCharacter(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
