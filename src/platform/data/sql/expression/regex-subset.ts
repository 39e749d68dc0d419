// Patterns that mean the same to Postgres and to DuckDB's RE2: characters, `.`, sets of characters, groups, alternatives, repetition,
// `\d`, and `^` and `$` at the two ends. No other classes, no back-references, no look-around, no lazy repetition.

/** How often all parts together may be repeated: RE2 writes repetitions out. */
const maxRepeats = 1000;
const maxDepth = 20;
const character = /[^\\^$.[\](){}|*+?\p{Cc}]/uy;
const escaped = /\\(?:[\\^$.[\](){}|*+?/-]|d)/uy;
const set = /\[\^?(?:[^\\^[\]\p{Cc}-](?:-[^\\^[\]\p{Cc}-])?)+-?\]/uy;
const repetition = /[*+?]|\{(\d{1,3})(,(\d{1,3})?)?\}/uy;

/** Whether a regular expression is one of those that both engines understand alike. */
export function isCommonPattern(pattern: string): boolean {
  const end = alternatives(pattern, 0, 0, 1);
  return end === pattern.length;
}

/** Where alternatives end that begin at a place; undefined where they are none. */
function alternatives(pattern: string, from: number, depth: number, repeats: number): number | undefined {
  if (depth > maxDepth) return undefined;
  let at = branch(pattern, from, depth, repeats);
  while (at !== undefined && pattern[at] === '|') at = branch(pattern, at + 1, depth, repeats);
  return at;
}

function branch(pattern: string, from: number, depth: number, repeats: number): number | undefined {
  const start = pattern[from] === '^' ? from + 1 : from;
  let at: number | undefined = start;
  for (let next = piece(pattern, at, depth, repeats); next !== undefined; next = piece(pattern, at, depth, repeats))
    at = next;
  if (pattern[at] === '$') return at + 1;
  return at > start ? at : undefined;
}

/** Something and how often it comes; undefined where nothing more is there, or nothing that we know. */
function piece(pattern: string, from: number, depth: number, repeats: number): number | undefined {
  const end = pattern[from] === '(' ? closing(pattern, from, depth, repeats) : atom(pattern, from);
  if (end === undefined) return undefined;
  repetition.lastIndex = end;
  const found = repetition.exec(pattern);
  if (found === null) return end;
  const [text, least = '1', , most = least] = found;
  const times = Math.max(Number(least), Number(most), 1);
  if (Number(most) < Number(least) || Number(least) > 255 || Number(most) > 255 || times * repeats > maxRepeats)
    return undefined;
  // What stands inside is repeated, too: read again with that in mind.
  if (times > 1 && pattern[from] === '(' && closing(pattern, from, depth, repeats * times) === undefined)
    return undefined;
  return end + text.length;
}

function closing(pattern: string, from: number, depth: number, repeats: number): number | undefined {
  if (pattern[from + 1] === '?') return undefined;
  const end = alternatives(pattern, from + 1, depth + 1, repeats);
  return end !== undefined && pattern[end] === ')' ? end + 1 : undefined;
}

function atom(pattern: string, from: number): number | undefined {
  if (pattern[from] === '.') return from + 1;
  for (const one of [character, escaped, set]) {
    one.lastIndex = from;
    const [text] = one.exec(pattern) ?? [];
    if (text !== undefined) return from + text.length;
  }
  return undefined;
}
