// Paths of parts of a value, as expressions of cases write them: value[3].id.

/** A step of a path: the index of an item, or the name of a property. */
export type Step = number | string;

const name = /^[A-Za-z_][A-Za-z0-9_]*$/;
const words = ['and', 'false', 'in', 'let', 'matches', 'nil', 'not', 'or', 'true']; // of the expressions

/** Returns the path from a root to a part. */
export function formatPath(root: string, steps: Step[]): string {
  const written = steps.map((step) => {
    if (typeof step === 'number') {
      return `[${step}]`;
    }
    return name.test(step) && !words.includes(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return root + written.join('');
}
