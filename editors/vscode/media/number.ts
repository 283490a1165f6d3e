// Numbers as people type them, with all their digits.

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/** What was typed as JSON writes it; undefined where it is no number. */
export function normalizeNumber(typed: string): string | undefined {
  const [, sign, whole = '', part = '', power = ''] = numberPattern.exec(typed.trim()) ?? [];
  if (whole + part === '') {
    return undefined;
  }
  const minus = sign === '-' ? '-' : '';
  return `${minus}${whole.replace(/^0+(?=\d)/, '') || '0'}${part && `.${part}`}${power}`;
}
