import { type Document, isMap, isNode, isScalar, visit } from 'yaml';

/** What the parser says of a text, without the place, which is told by file and line. */
function headline(message: string): string {
  return message.split('\n')[0]?.replace(/ at line .*$/, '') ?? message;
}

/** Where a place stands, or the nearest thing around it that the file has. */
export function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  const map = document.getIn(path.slice(0, -1), true);
  const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  if (isScalar(pair?.key) && pair.key.range) return pair.key.range[0];
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** A problem of a document, and its offset in the text. */
export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

/**
 * The first error of syntax, or else the first number that JSON cannot hold (`.inf`, `.nan`, `1e400`), which would be sent as null.
 * Further errors of syntax are mostly consequences of the first one.
 */
export function findYamlProblem(document: Document.Parsed): YamlProblem | undefined {
  const [error] = document.errors;
  if (error) return { offset: error.pos[0], message: headline(error.message) };
  let problem: YamlProblem | undefined;
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (typeof value !== 'number' || Number.isFinite(value)) return;
      problem = {
        offset: range?.[0] ?? 0,
        message: `${source} is not a finite number: write a number, or a text in quotes`,
      };
      return visit.BREAK;
    },
  });
  return problem;
}
