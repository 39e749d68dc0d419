import type { Statement } from '../semantic-model.js';
import type { CubeColumn, Expression } from '../sql/tree.js';
import { asText } from './computed-member.js';
import { type DimensionDefinition, type MeasureDefinition, MemberKind } from './definition.js';
import type { QueryMembers } from './query-members.js';

/** The columns of a `CubeQuery` as the library has them: by kind, each once. */
export interface CubeColumns {
  readonly dimensions: readonly DimensionDefinition[];
  readonly values: readonly Expression[];
  readonly times: readonly { readonly dimension: string; readonly granularity: string }[];
  readonly measures: readonly MeasureDefinition[];
  /** As they were asked for. */
  readonly asked: readonly AskedColumn[];
}

/** A column that is asked for. */
export interface AskedColumn {
  /** Among the columns that the library makes. */
  readonly place: number;
  /** Whether it is text: its values may be of another type. */
  readonly isText: boolean;
}

/**
 * Sorts columns by their kind.
 * @throws PlatformError 400 for members that are unknown, hidden or of another kind.
 */
export function columnsOf(columns: readonly CubeColumn[], members: QueryMembers): CubeColumns {
  const dimensions = new Map<unknown, DimensionDefinition>();
  const values = new Map<unknown, Expression>();
  const times = new Map<unknown, { dimension: string; granularity: string }>();
  const measures = new Map<unknown, MeasureDefinition>();
  for (const column of columns) {
    const id = idOf(column);
    if (column.kind === 'computed') values.set(id, column.value);
    else if (column.kind === 'time') {
      const { path, granularity } = column;
      times.set(id, { dimension: members.time(path, granularity).path, granularity });
    } else if (column.kind === 'dimension')
      for (const member of members.all([column.path], MemberKind.dimension)) dimensions.set(id, member);
    else for (const member of members.all([column.path], MemberKind.measure)) measures.set(id, member);
  }
  const ids = [dimensions, values, times, measures].flatMap(kind => [...kind.keys()]);
  return {
    dimensions: [...dimensions.values()],
    values: [...values.values()],
    times: [...times.values()],
    measures: [...measures.values()],
    asked: columns.map(idOf).map(id => ({
      place: ids.indexOf(id),
      isText: (dimensions.get(id) ?? measures.get(id))?.type === 'string',
    })),
  };
}

/** A dimension and a measure have two names, a time dimension with its granularity has three. */
function idOf(column: CubeColumn): unknown {
  if (column.kind === 'computed') return column.value;
  return column.kind === 'time' ? `${column.path}.${column.granularity}` : column.path;
}

/**
 * A statement with the columns in the order that they were asked for in, named `c0`, `c1`, ...
 * @param width - how many columns the statement has.
 */
export function arranged({ sql, parameters }: Statement, asked: readonly AskedColumn[], width: number): Statement {
  const list = asked.map(({ place, isText }, index) => {
    const column = `"k${place}"`;
    return `${isText ? asText(column) : column} AS "c${index}"`;
  });
  const names = Array.from({ length: width }, (_, place) => `"k${place}"`);
  return { sql: `SELECT ${list.join(', ')} FROM (${sql}) AS "cube" (${names.join(', ')})`, parameters };
}
