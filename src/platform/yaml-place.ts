import { type Document, isMap, isNode, isScalar } from 'yaml';

/** What the parser says of a text, without the place, which is told by file and line. */
export function headline(message: string): string {
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
