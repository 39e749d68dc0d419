import type { SqlColumn } from '../semantic-model.js';
import type { SqlModel } from './sql-model.js';
import type { CubeColumn, OutputColumn, SelectStatement } from './tree.js';

/** The title of a member, unless an alias stands in its place: here, or further in. */
export function titled(
  { body, columns }: SelectStatement,
  index: number,
  origin: CubeColumn | undefined,
  { access }: SqlModel,
): Pick<SqlColumn, 'title'> {
  const column = columns[index];
  if (origin === undefined || origin.kind === 'computed' || column === undefined) return {};
  const isDirect = body.kind === 'select' && body.from?.kind === 'cube';
  if (isDirect ? isAlias(column, origin) : column.name !== ownName(origin)) return {};
  const title = access.members.get(origin.path)?.shortTitle;
  return title === undefined ? {} : { title };
}

/** Whether a column of a select over a cube was given another name than its member has. */
export function isAlias({ name, aliased = false }: OutputColumn, origin: { readonly path: string }): boolean {
  return aliased && name !== ownName(origin);
}

function ownName({ path }: { readonly path: string }): string {
  return path.slice(path.indexOf('.') + 1);
}
