// What fits into a dialogue. Of more, VS Code prints the question and the text over each other.
const rows = 22;
const rowWidth = 50; // characters of a row
const headLength = 80; // characters of a question, at its beginning
const tailLength = 200; // and at its end

/** As much of a text as there is room for. */
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

/** A question without its middle where it is long: what runs stands first, and where and
 * what it changes last. */
export function shortenQuestion(text: string): string {
  return text.length <= headLength + tailLength ? text : `${text.slice(0, headLength)} … ${text.slice(-tailLength)}`;
}
