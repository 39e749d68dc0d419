const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/uy;

/** What may follow in JSON text. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/**
 * Returns the line and column, from 1, of the first error in text that is not JSON: parsers of browsers do not always
 * state it.
 */
export function jsonErrorPlace(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, errorOffset(text)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function errorOffset(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let end = 0;
  for (;;) {
    const start = end + (/^\s*/.exec(text.slice(end, end + 1000))?.[0].length ?? 0);
    token.lastIndex = end;
    const found = token.exec(text);
    const next: Expected | null = found ? step(found[1] ?? '', found[2] !== undefined, expected, open) : null;
    if (next === null) return start;
    expected = next;
    end = token.lastIndex;
  }
}

/** Returns what may follow a token; `null` if the token is an error. `open` lists the open brackets. */
function step(sign: string, isText: boolean, expected: Expected, open: string[]): Expected | null {
  const after = (): Expected => (open.length > 0 ? 'commaOrEnd' : 'nothing');
  const isValue = expected === 'value' || expected === 'valueOrEnd';
  switch (sign) {
    case '{':
    case '[':
      if (!isValue) return null;
      open.push(sign);
      return sign === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case '}':
      if (open.at(-1) !== '{' || (expected !== 'keyOrEnd' && expected !== 'commaOrEnd')) return null;
      open.pop();
      return after();
    case ']':
      if (open.at(-1) !== '[' || (expected !== 'valueOrEnd' && expected !== 'commaOrEnd')) return null;
      open.pop();
      return after();
    case ',':
      if (expected !== 'commaOrEnd') return null;
      return open.at(-1) === '{' ? 'key' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : null;
    default:
      if (expected === 'key' || expected === 'keyOrEnd') return isText ? 'colon' : null;
      return isValue ? after() : null;
  }
}
