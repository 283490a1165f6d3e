// Shortens texts for a dialogue: VS Code would print a long question and its text over each other.
const rows = 22;
const rowWidth = 50; // characters in a row
const headLength = 80; // characters of a question, at its beginning
const tailLength = 200; // and at its end

/** Returns the first rows of a text, as many as fit. */
export function firstRows(text: string): string {
  const kept: string[] = [];
  let left = rows;
  for (const line of text.split('\n')) {
    if (left <= 0) {
      break;
    }
    kept.push(line.slice(0, left * rowWidth));
    left -= Math.max(1, Math.ceil(line.length / rowWidth));
  }
  return kept.join('\n');
}

/** Returns a long question without its middle: what runs is at the beginning, and where it runs and what it
 * changes is at the end. */
export function shortenQuestion(text: string): string {
  return text.length <= headLength + tailLength ? text : `${text.slice(0, headLength)} … ${text.slice(-tailLength)}`;
}
