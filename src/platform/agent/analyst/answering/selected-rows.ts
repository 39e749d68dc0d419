import type { Cell, Row } from '../../../../contract/data.js';
import type { Filter } from '../../../../contract/query.js';
import type { CallerData } from '../../../data/caller-data.js';
import { impossible } from '../reading/outcome.js';
import type { RankPerGroup, Reading } from '../reading/reading.js';
import { queryOf, timeColumn } from '../reading/to-query.js';
import { bucketAt } from '../time/date-span.js';
import { isAdditive, type Member } from '../vocabulary/lexicon.js';
import { keyColumns } from './results.js';

/** Maximum number of rows to rank. */
const maxRows = 5000;
/** Maximum number of rows of a ranking, so that one result contains all of them. */
const maxSelected = 100;

/** Access to the caller's data during one turn. */
export interface DataAccess {
  readonly data: CallerData;
  readonly signal: AbortSignal;
}

/**
 * Restricts a reading to the rows of a ranking that one query cannot express: groups by their change between two
 * periods, or the largest rows of each group. Other readings are returned unchanged. The queries of the ranking run
 * with the caller's permissions.
 * @throws {EarlyOutcome} if there are too many rows to rank.
 */
export async function withSelectedRows(reading: Reading, access: DataAccess): Promise<Reading> {
  const { computation, perGroup } = reading;
  const [measure] = reading.measures;
  if (measure === undefined) return reading;
  if (perGroup) return selected(reading, perGroupRows(await load(reading, access), reading, perGroup, measure));
  if (computation.kind !== 'compare' || computation.ranking === null) return reading;
  const [now, before] = await Promise.all([
    load(reading, access),
    load({ ...reading, span: computation.against }, access),
  ]);
  const rows = rowsByChange({ now, before, reading, measure, sign: computation.ranking === 'desc' ? 1 : -1 });
  if (rows.length === 0)
    throw impossible(
      `${measure.title} did not ${computation.ranking === 'desc' ? 'increase' : 'decrease'} in any group between the two periods.`,
    );
  return { ...selected(reading, rows.slice(0, reading.limit ?? 10)), limit: null };
}

/** Loads all rows of a reading, without the order and limit of the ranking. */
async function load(reading: Reading, { data, signal }: DataAccess): Promise<readonly Row[]> {
  const all = { ...reading, order: null, limit: maxRows, perGroup: null };
  const { rowSet, totalRows } = await data.load(queryOf(all), { signal });
  if (totalRows > maxRows) throw impossible(`There are ${totalRows} rows, which are too many to rank.`);
  return rowSet.rows;
}

interface ChangeRanking {
  readonly now: readonly Row[];
  readonly before: readonly Row[];
  readonly reading: Reading;
  readonly measure: Member;
  /** 1 for the largest increases, -1 for the largest decreases. */
  readonly sign: 1 | -1;
}

/** Returns the rows of both periods that changed in one direction, the largest change first. */
function rowsByChange({ now, before, reading, measure, sign }: ChangeRanking): Row[] {
  const keyOf = (row: Row) => JSON.stringify(keyColumns(reading).map(key => row[key]));
  const earlier = new Map(before.map(row => [keyOf(row), row]));
  const later = new Map(now.map(row => [keyOf(row), row]));
  // A group without rows in one period counts as zero if the measure is additive.
  const missing = isAdditive(measure) ? 0 : null;
  const valueIn = (row: Row | undefined) => (row === undefined ? missing : numberOf(row[measure.name]));
  return [...new Map([...earlier, ...later])]
    .flatMap(([key, row]) => {
      const [first, last] = [valueIn(earlier.get(key)), valueIn(later.get(key))];
      return first === null || last === null ? [] : [{ row, change: sign * (last - first) }];
    })
    .filter(({ change }) => change > 0)
    .sort((a, b) => b.change - a.change)
    .map(({ row }) => row);
}

/** Returns the largest (or smallest) rows of each group, for as many groups as fit into one result. */
function perGroupRows(rows: readonly Row[], reading: Reading, rank: RankPerGroup, measure: Member): Row[] {
  const ranked = rank.ranked?.name ?? timeColumn(reading);
  const [group = ''] = keyColumns(reading).filter(key => key !== ranked);
  const groups = new Map<string, { readonly row: Row; readonly value: number }[]>();
  for (const row of rows) {
    const value = numberOf(row[measure.name]);
    if (value === null) continue;
    const key = String(row[group]);
    const list = groups.get(key) ?? [];
    list.push({ row, value });
    groups.set(key, list);
  }
  const keys = [...groups.keys()].sort().slice(0, Math.max(1, Math.floor(maxSelected / rank.limit)));
  const sign = rank.desc ? -1 : 1;
  return keys.flatMap(key =>
    (groups.get(key) ?? [])
      .toSorted((a, b) => sign * (a.value - b.value))
      .slice(0, rank.limit)
      .map(({ row }) => row),
  );
}

function selected(reading: Reading, rows: readonly Row[]): Reading {
  if (rows.length === 0) return reading;
  return { ...reading, rows: { or: rows.map(row => rowFilter(row, reading)) } };
}

function rowFilter(row: Row, reading: Reading): Filter {
  const { dimensions, time, grain } = reading;
  const column = timeColumn(reading);
  const filters: Filter[] = dimensions.map(({ name }) => valueFilter(name, row[name] ?? null));
  if (time && grain && column) {
    const bucket = bucketAt(String(row[column] ?? ''), grain);
    if (bucket === null) throw impossible(`I can’t rank within each ${grain}.`);
    filters.push({ member: time.name, operator: 'inDateRange', values: bucket });
  }
  return { and: filters };
}

function valueFilter(member: string, value: Cell): Filter {
  return value === null ? { member, operator: 'notSet' } : { member, operator: 'equals', values: [String(value)] };
}

function numberOf(value: Cell | undefined): number | null {
  const number = value == null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
