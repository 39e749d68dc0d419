/** Path of a value in a row: `['orders.total']`, or `['orders', 'total']` for nested objects. */
export type FieldPath = readonly string[];

/** Returns the path of a field in Vega syntax: a dot means nesting unless it is escaped or in brackets. */
export function pathOf(field: string): FieldPath {
  return [...field.matchAll(steps)].map(([step, quoted]) => (quoted ? unquote(quoted) : removeEscapes(step)));
}

const string = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const steps = new RegExp(String.raw`\[\s*(${string})\s*\]|(?:[^.[\]\\]|\\.)+`, 'g');
const access = new RegExp(String.raw`\.\s*([A-Za-z_$][\w$]*)|\[\s*(${string})\s*\]`, 'g');
/** Matches a string literal, whose content is skipped, or `datum` with the accesses that follow it. */
const reads = new RegExp(
  String.raw`${string}|(?<![\w$.])datum((?:\s*\.\s*[A-Za-z_$][\w$]*|\s*\[\s*(?:${string})\s*\])+)`,
  'g',
);

/**
 * Returns the paths that an expression reads from its row. Guards are omitted. For example, in `datum["a"] &&
 * datum["a"]["b"]`, the first operand only checks that `a` exists.
 */
export function expressionPaths(expression: string): FieldPath[] {
  const paths = [...expression.matchAll(reads)].flatMap(([, steps]) =>
    steps === undefined ? [] : [[...steps.matchAll(access)].map(([, name, quoted]) => name ?? unquote(quoted))],
  );
  return paths.filter(
    path => !paths.some(other => other.length > path.length && path.every((step, at) => other[at] === step)),
  );
}

function unquote(text = ''): string {
  return removeEscapes(text.slice(1, -1));
}

function removeEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
