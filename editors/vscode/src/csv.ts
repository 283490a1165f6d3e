// Rows as CSV (RFC 4180). A spreadsheet takes a text that begins with =, +, - or @ for a formula, which
// could send what is beside it elsewhere: such a text gets an apostrophe, unless it is a number.

const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r]/u;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

export function csv(rows: string[][]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}
