import type { SelectStmt } from 'libpg-query';
import type { Access } from '../model/access.js';
import { MemberKind } from '../model/definition.js';

/**
 * Paths of all members that may occur in a statement: of each cube and view that is named in it, those whose names are; all of them where
 * there is a `*`.
 */
export function memberNames(select: SelectStmt, { entities, members }: Access): readonly string[] {
  const words = wordsOf(select);
  const named = [...entities.values()].filter(({ name }) => words.has(name.toLowerCase()));
  const occurs = (name: string) => words.has('*') || words.has(name.toLowerCase());
  return named.flatMap(entity =>
    [...entity.members.values()]
      .filter(({ path, name, kind }) => kind !== MemberKind.segment && members.has(path) && occurs(name))
      .map(({ path }) => path),
  );
}

/** Names of tables and columns, in small letters. */
function wordsOf(select: SelectStmt): ReadonlySet<string> {
  const words = new Set<string>();
  const rest: object[] = [select];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('A_Star' in next) words.add('*');
    for (const [key, value] of Object.entries(next)) {
      const isName = key === 'relname' || key === 'sval';
      if (isName && typeof value === 'string') words.add(value.toLowerCase());
      else if (typeof value === 'object' && value !== null) rest.push(value);
    }
  }
  return words;
}
