const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/uy;

/** Kinds of tokens that may follow in JSON text. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/**
 * Returns the line and column, starting at 1, of the first syntax error in invalid JSON. Browsers do not always report
 * the position.
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
    const kind = found?.[2] === undefined ? 'other' : 'text';
    const next: Expected | null = found ? step(found[1] ?? kind, expected, open) : null;
    if (next === null) return start;
    expected = next;
    end = token.lastIndex;
  }
}

/**
 * Returns what may follow a token; `null` if the token is an error.
 * @param sign - a bracket, comma or colon; `text` for a string, and `other` for other values.
 * @param open - the open brackets.
 */
function step(sign: string, expected: Expected, open: string[]): Expected | null {
  const isValue = expected === 'value' || expected === 'valueOrEnd';
  switch (sign) {
    case '{':
    case '[':
      if (!isValue) return null;
      open.push(sign);
      return sign === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case '}':
    case ']':
      return close(sign, expected, open);
    case ',':
      if (expected !== 'commaOrEnd') return null;
      return open.at(-1) === '{' ? 'key' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : null;
    default:
      if (expected === 'key' || expected === 'keyOrEnd') return sign === 'text' ? 'colon' : null;
      return isValue ? after(open) : null;
  }
}

function close(sign: '}' | ']', expected: Expected, open: string[]): Expected | null {
  const [bracket, empty] = sign === '}' ? ['{', 'keyOrEnd'] : ['[', 'valueOrEnd'];
  if (open.at(-1) !== bracket || (expected !== empty && expected !== 'commaOrEnd')) return null;
  open.pop();
  return after(open);
}

/** Returns what may follow a value. */
function after(open: readonly string[]): Expected {
  return open.length > 0 ? 'commaOrEnd' : 'nothing';
}
