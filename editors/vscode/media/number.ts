// Numbers as people type them, with all digits.

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;

/** Returns typed text as a JSON number; undefined if it is not a number. */
export function normalizeNumber(typed: string): string | undefined {
  const [, sign, whole = '', part = '', power = ''] = numberPattern.exec(typed.trim()) ?? [];
  if (whole + part === '') {
    return undefined;
  }
  const minus = sign === '-' ? '-' : '';
  return `${minus}${whole.replace(/^0+(?=\d)/, '') || '0'}${part && `.${part}`}${power}`;
}
