import type { Cell } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { groupFilter } from '../marks/drill.js';
import { type Comparison, comparisonsOf, withComparison } from './comparison.js';
import { comparisonPeriodQuery, hasExplicitPeriod } from './comparison-period.js';
import { fillingOf, fillMissing } from './fill-missing.js';
import { isOfMeasures, keyOf, withGroups } from './groups.js';
import { groupKey, type ReportData } from './report-data.js';
import { type ReportRequest, renameRows } from './report-request.js';
import {
  type Additive,
  addUp,
  type FanOutCheck,
  fanOutCheck,
  type MeasureFacts,
  measureFacts,
  totalGroups,
} from './totals.js';

/** Loads the rows of one report. */
export interface ReportSource {
  readonly load: (query: Query) => Promise<RowSet>;
  /** Returns the model; `null` if it is not available. */
  readonly meta: () => Promise<MetaResponse | null>;
}

type LoadRequest = Extract<ReportRequest, { kind: 'load' }>;
interface Facts {
  readonly measures: ReadonlyMap<string, MeasureFacts>;
  readonly multiplied: FanOutCheck;
}

const noFacts: Facts = { measures: new Map(), multiplied: () => false };

/** Maximum number of groups that are listed in the filter of a further query. */
const maxFilteredGroups = 200;

/** Data that the queries of one report share. */
interface Run {
  readonly request: LoadRequest;
  readonly load: (query: Query) => Promise<RowSet>;
  readonly comparisons: readonly Comparison[];
  readonly isMeasure: (member: string) => boolean;
  readonly facts: Facts;
}

/**
 * Loads the data of a report with as many queries as required: its rows, the rows of the periods that it is compared
 * with, and totals that are not the sum of rows.
 * @param main - the response to the request's own query, which has already started.
 */
export async function loadReportData(
  { load, meta }: ReportSource,
  request: LoadRequest,
  main: Promise<RowSet>,
): Promise<ReportData> {
  const { query, columns, snapshot } = request;
  const comparisons = comparisonsOf(snapshot, query, columns);
  const groupings = totalGroups(snapshot, query, columns);
  const needsFacts = comparisons.length > 0 || groupings.length > 0 || Boolean(snapshot.fillMissingRows);
  const facts = needsFacts ? factsOf(await meta()) : noFacts;
  const measures = new Set(query.measures);
  const isMeasure = (member: string): boolean => measures.has(member) || facts.measures.has(member);
  const run: Run = { request, load, comparisons, isMeasure, facts };
  const rows = prepareRows(run, query, main);
  const [rowSet, totals] = await Promise.all([rows, loadTotals(run, groupings, rows)]);
  return { rowSet, totals, request };
}

/** Returns which measures are additive. Without the model, none is known to be, so all totals are queried. */
function factsOf(model: MetaResponse | null): Facts {
  return model ? { measures: measureFacts(model), multiplied: fanOutCheck(model) } : noFacts;
}

/**
 * Returns the rows of a query as they are rendered: with the names of the report, missing rows and comparison columns.
 */
async function prepareRows(run: Run, query: Query, rows: Promise<RowSet>): Promise<RowSet> {
  const { request, comparisons, facts } = run;
  const { columns, snapshot } = request;
  const named = (rowSet: RowSet): RowSet => underNames(rowSet, request);
  const earlier = comparisons.map(comparison => loadEarlier(run, query, { comparison, rows }));
  const [main, ...before] = await Promise.all([rows, ...earlier]);
  const nothing = (column: Column): Cell =>
    facts.measures.get(keyOf(column.member, columns))?.countsNothing ? '0' : null;
  const given = named(main);
  const filling = fillingOf(snapshot, given, { keyOf: column => keyOf(column, columns), nothing });
  return comparisons.reduce(
    (rowSet, comparison, index) => {
      const found = before[index] ?? null;
      return withComparison(rowSet, found && named(found), comparison, columns);
    },
    filling ? fillMissing(given, filling) : given,
  );
}

async function loadEarlier(
  { load, isMeasure }: Run,
  query: Query,
  { comparison, rows }: { readonly comparison: Comparison; readonly rows: Promise<RowSet> },
): Promise<RowSet | null> {
  // For a relative date range, the response with the rows contains its start and end.
  const range = hasExplicitPeriod(query, comparison)
    ? null
    : ((await rows).dateRanges?.get(comparison.dimension) ?? null);
  const earlier = comparisonPeriodQuery(query, comparison, range, isMeasure);
  return earlier && load(earlier);
}

/** Returns the totals of each of these groupings: summed if possible, else queried. */
async function loadTotals(
  run: Run,
  groupings: readonly (readonly string[])[],
  rows: Promise<RowSet>,
): Promise<ReportData['totals']> {
  if (groupings.length === 0) return new Map();
  const { request, comparisons, isMeasure } = run;
  const { query, columns } = request;
  const additive = additiveBy(run);
  const addsUp = comparisons.length === 0 && (query.measures ?? []).every(measure => additive(measure) !== null);
  const filtersGroups = (query.filters ?? []).some(filter => isOfMeasures(filter, isMeasure));
  if (!addsUp && !filtersGroups && !query.ungrouped) return queryTotals(run, groupings, query);
  const rowSet = await rows;
  const isWhole = !isCut(rowSet, query);
  const summed = () =>
    groupings.map((groups): [string, RowSet] => [
      groupKey(groups),
      addUp(rowSet, groups, column => additive(keyOf(column, columns))),
    ]);
  if (query.ungrouped) return new Map(isWhole ? summed() : []);
  if (addsUp && isWhole) return new Map(summed());
  if (!filtersGroups) return queryTotals(run, groupings, query);
  // A filter on measures selected the groups, so totals must include only those.
  if (!isWhole) return new Map();
  const filter = rowSet.rows.length > maxFilteredGroups ? null : groupFilter(request, rowSet);
  if (!filter) return new Map(summed());
  return queryTotals(run, groupings, { ...query, filters: [...(query.filters ?? []), filter] });
}

async function queryTotals(
  run: Run,
  groupings: readonly (readonly string[])[],
  query: Query,
): Promise<ReportData['totals']> {
  const { columns } = run.request;
  const queried = groupings.map(async (groups): Promise<[string, RowSet]> => {
    const keys = groups.map(column => keyOf(column, columns));
    const fewer = withGroups(query, keys, run.isMeasure);
    return [groupKey(groups), await prepareRows(run, fewer, run.load(fewer))];
  });
  return new Map(await Promise.all(queried));
}

/** Returns how the measures of a report can be summed over the groups of its query. */
function additiveBy({ request: { query }, facts }: Run): (measure: string) => Additive {
  const groups = [...(query.dimensions ?? []), ...(query.timeDimensions ?? []).map(({ dimension }) => dimension)];
  return measure => (facts.multiplied(measure, groups) ? null : (facts.measures.get(measure)?.additive ?? null));
}

/** Whether rows may be missing in a result because of a limit. */
function isCut({ rows, truncated }: RowSet, { limit, offset }: Query): boolean {
  return truncated || Boolean(offset) || (typeof limit === 'number' && rows.length >= limit);
}

/** Renames columns to the names of the report. Ignores names that the query does not return. */
function underNames(rowSet: RowSet, { columns, snapshot }: LoadRequest): RowSet {
  if (!columns) return rowSet;
  const keys = new Set(rowSet.columns.map(({ member }) => member));
  const brought = Object.entries(columns).filter(([, key]) => keys.has(key));
  return renameRows(rowSet, Object.fromEntries(brought), snapshot.meta?.aliases ?? []);
}
