// What a person looks for, as a pattern.

/** Returns a pattern that finds a text, whatever its case. */
export function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'iu');
}
