import { type Document, isMap, isNode, isScalar, visit } from 'yaml';

/** Returns the parser's message without its location, which is reported as file and line. */
function headline(message: string): string {
  return message.split('\n')[0]?.replace(/ at line .*$/, '') ?? message;
}

/** Returns the offset of a node, or of its nearest existing parent. */
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

/** A problem in a YAML document, and its offset in the text. */
export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

/**
 * Returns the first syntax error (later ones are usually consequences), otherwise the first number that JSON can't
 * represent (`.inf`, `.nan`, `1e400`) and would convert to null.
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
        message: `${source} is not a finite number: write a number, or a string in quotes`,
      };
      return visit.BREAK;
    },
  });
  return problem;
}
