import type { Located, SourcePath } from './model-files.js';
import type { CubeSource } from './model-source.js';
import { type References, Way } from './references.js';
import { isUnspeakable } from './reserved-words.js';
import { parseTemplate } from './template.js';

/** Where SQL of a cube stands, which says what it may name. */
export const SqlPlace = {
  /** A value of each row: a dimension, a segment, or what a measure aggregates. */
  row: 'row',
  /** A condition of a join or of a measure. */
  condition: 'condition',
  /** A measure made of other measures. */
  calculation: 'calculation',
  /** A measure of another cube, for each row. */
  subQuery: 'sub-query',
} as const;
/** Where SQL of a cube stands, which says what it may name. */
export type SqlPlace = (typeof SqlPlace)[keyof typeof SqlPlace];

/** Takes SQL of a cube apart and reports every reference that leads nowhere, or to what it can't be made of. */
export function checkSql(
  references: References,
  { source, report }: Located<CubeSource>,
  path: SourcePath,
  sql: string,
  place: SqlPlace,
): void {
  const pieces = parseTemplate(sql);
  if (pieces === undefined) {
    report(path, 'a brace may only hold CUBE, a member, cube.member or cube.member.granularity');
    return;
  }
  const way = place === SqlPlace.subQuery ? Way.either : Way.along;
  for (const piece of pieces) {
    if (typeof piece === 'string') continue;
    const written = `{${piece.join('.')}}`;
    const to = references.resolve(source.name, piece);
    if (piece.some(isUnspeakable)) report(path, `${written} has a name that can't stand in SQL: rename it`);
    else if (to === undefined) report(path, `${written} is neither a cube nor a member`);
    else if (references.way(source.name, to.cube, way) === undefined)
      report(path, `${written}: there is no way of joins from ${source.name} to ${to.cube}`);
    else if (to.kind === 'cube' && to.cube !== source.name && place !== SqlPlace.condition)
      report(path, `${written} is another cube: name a member of it, such as {${to.cube}.name}`);
    else if (to.kind === 'member' && references.isMeasure(to.cube, to.member) && isOfRows(place))
      report(path, `${written} is a measure: only a measure of type number, or a sub_query, is made of measures`);
  }
}

function isOfRows(place: SqlPlace): boolean {
  return place === SqlPlace.row || place === SqlPlace.condition;
}
