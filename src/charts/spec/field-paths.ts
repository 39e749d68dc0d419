/** Steps to a value in a row: `['orders.total']`, or `['orders', 'total']` of nested objects. */
export type FieldPath = readonly string[];

/** Steps of a field as Vega writes it: a dot nests unless it is escaped or in brackets. */
export function pathOf(field: string): FieldPath {
  return [...field.matchAll(steps)].map(([step, quoted]) => (quoted ? unquoted(quoted) : unescaped(step)));
}

const string = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const steps = new RegExp(String.raw`\[\s*(${string})\s*\]|(?:[^.[\]\\]|\\.)+`, 'g');
const access = new RegExp(String.raw`\.\s*([A-Za-z_$][\w$]*)|\[\s*(${string})\s*\]`, 'g');
/** A text, which may look like anything, or `datum` with what follows it. */
const reads = new RegExp(
  String.raw`${string}|(?<![\w$.])datum((?:\s*\.\s*[A-Za-z_$][\w$]*|\s*\[\s*(?:${string})\s*\])+)`,
  'g',
);

/**
 * Values of the row that an expression reads by name. Guards are left out: in `datum["a"] && datum["a"]["b"]` the first part only
 * asks whether there is something to read from.
 */
export function expressionPaths(expression: string): FieldPath[] {
  const paths = [...expression.matchAll(reads)].flatMap(([, steps]) =>
    steps === undefined ? [] : [[...steps.matchAll(access)].map(([, name, quoted]) => name ?? unquoted(quoted))],
  );
  return paths.filter(
    path => !paths.some(other => other.length > path.length && path.every((step, at) => other[at] === step)),
  );
}

function unquoted(text = ''): string {
  return unescaped(text.slice(1, -1));
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
