import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { MetaResponse } from '../../../contract/meta.js';
import type { Query } from '../../../contract/query.js';
import type { JsonObject } from '../../../contract/wire.js';
import { readAnswerChart } from '../../../report/chart/answer-chart.js';
import { proposeLayout } from '../../../report/chart/proposed-chart.js';
import { keysOf } from '../../../report/query/member-names.js';
import { readLoadRequest } from '../../data/answers/read-request.js';
import { PlatformError } from '../../errors.js';
import type { ViewerData } from '../../http/route-deps.js';
import { computedColumns, computedParts } from './computed-report.js';
import { type AnswerSource, parseObject } from './pinned-answers.js';
import { NotVisible, type VisibleMembers, visibleMembers, visibleQuery } from './visible-query.js';

/** Maximum length of a query of an agent, in characters of JSON. */
const maxQueryLength = 32 * 1024;

/** Granularities with few periods, whose bars are drawn with gaps. */
const fewPeriods: ReadonlySet<string> = new Set(['week', 'month', 'quarter', 'year']);

/** The data of a viewer, and a signal that ends the checks of filter values. */
export interface AnswerViewer {
  readonly data: ViewerData;
  readonly meta: MetaResponse;
  readonly signal: AbortSignal;
}

/**
 * Converts an answer to a report for a viewer, whose tenant may differ from that of the thread owner. The report
 * contains only members and titles that the viewer can see, keywords, numbers, dates, and filter values that occur in
 * the viewer's rows. No other text of the thread remains.
 */
export async function answerForViewer(
  source: Pick<AnswerSource, 'query' | 'vegaSpec' | 'computed'>,
  { data, meta, signal }: AnswerViewer,
): Promise<ReportSnapshot | 'noQuery' | 'unavailable'> {
  const given = readQuery(source.query);
  if (!given) return 'noQuery';
  const members = visibleMembers(meta);
  try {
    const query = await visibleQuery(given, members, { data, signal });
    const isComputed = source.computed !== undefined;
    const chart = chartOf(source.vegaSpec, [...keysOf(query), ...(isComputed ? computedColumns : [])]);
    const parts: Pick<ReportSnapshot, 'kind' | 'spec' | 'periodComparisons'> = isComputed
      ? computedParts(source.computed, query, chart)
      : { kind: chart ? 'vega' : kindWithoutChart(query), ...(chart && { spec: chart }) };
    const periods = query.timeDimensions?.flatMap(({ granularity }) => granularity ?? []) ?? [];
    const hasFewPeriods = periods.length > 0 && periods.every(period => fewPeriods.has(period));
    return {
      id: 0,
      reportId: 0,
      versionNumber: 0,
      ...parts,
      title: titleOf(query, members),
      ...(parts.kind === 'vega' && isRecord(parts.spec) && { spec: proposeLayout(parts.spec, { hasFewPeriods }) }),
      meta: { jsonQuery: query },
    };
  } catch (error) {
    if (error instanceof NotVisible) return 'unavailable';
    throw error;
  }
}

function readQuery(query: JsonObject): Query | null {
  const text = JSON.stringify({ query });
  if (text.length > maxQueryLength) return null;
  try {
    const read = readLoadRequest(text).query;
    return Array.isArray(read) ? null : read;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return null;
    throw error;
  }
}

function kindWithoutChart(query: Query): 'kpi' | 'table' {
  return keysOf(query).length === 1 && query.measures?.length === 1 ? 'kpi' : 'table';
}

/** Returns a title from measures and dimensions: "Flights, Average delay · State". */
function titleOf(query: Query, members: VisibleMembers): string {
  const { measures = [], dimensions = [], timeDimensions = [] } = query;
  const times = timeDimensions.flatMap(({ dimension, granularity }) => (granularity ? [dimension] : []));
  const titles = (names: readonly string[]) =>
    [...new Set(names.map(name => members.find(name)?.shortTitle ?? ''))].filter(Boolean).join(', ');
  return [titles(measures), titles([...times, ...dimensions])].filter(Boolean).join(' · ');
}

function chartOf(vegaSpec: unknown, columns: readonly string[]): JsonObject | null {
  if (typeof vegaSpec !== 'string') return null;
  const read = readAnswerChart(parseObject(vegaSpec), columns);
  if ('problem' in read) return null;
  const chart = withoutText(read.chart);
  return isRecord(chart) ? chart : null;
}

/** Keys of an answer's chart whose values are free text of the agent. */
const worded: ReadonlySet<string> = new Set(['title', 'description', 'format']);
/** Keys whose values are colors. Only hex colors are retained, because a color name could be any text. */
const colored: ReadonlySet<string> = new Set(['color', 'scheme', 'value']);

/** Removes text from a chart that `readAnswerChart` has read. Everything else in it comes from a list of keywords. */
function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      const isText = typeof part === 'string' && (worded.has(key) || (colored.has(key) && !part.startsWith('#')));
      // An explicit sort order lists values from the owner's rows.
      const isValues = key === 'sort' && Array.isArray(part);
      return isText || isValues ? [] : [[key, withoutText(part)]];
    }),
  );
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
