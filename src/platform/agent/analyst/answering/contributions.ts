import type { Row } from '../../../../contract/data.js';
import type { Reading } from '../reading/reading.js';
import { queryOf } from '../reading/to-query.js';
import type { DateSpan } from '../time/date-span.js';
import type { Member } from '../vocabulary/lexicon.js';
import { changeText } from './comparison-text.js';
import { describeSpan } from './describe-reading.js';
import { plainText } from './markdown.js';
import { numberAt, type Result, tableOf, type Writer } from './results.js';
import type { DataAccess } from './selected-rows.js';

/** Maximum number of values of a dimension. A dimension with more values is skipped. */
const maxValues = 1000;
/** Maximum number of dimensions in the table. */
const maxDimensions = 4;
/** Maximum number of values per dimension in the table. */
const maxListed = 3;

/** Change of a measure in one group. */
interface Contribution {
  readonly value: string | null;
  readonly before: number;
  readonly now: number;
}

/** The groups of one dimension with the largest changes. */
interface Division {
  readonly dimension: Member;
  readonly largest: readonly Contribution[];
}

const changeOf = ({ now, before }: Contribution) => now - before;
const sizeOf = (one: Contribution | undefined) => Math.abs(one === undefined ? 0 : changeOf(one));

/**
 * Breaks down the change of an additive measure between two periods by the values of each dimension. All queries run
 * with the caller's permissions. The dimension with the largest change comes first. If several dimensions form the same
 * groups, only the first of them is returned.
 */
export async function contributionsOf(reading: Reading, { data, signal }: DataAccess): Promise<readonly Division[]> {
  const { computation, span, dimensions } = reading;
  const [measure] = reading.measures;
  if (computation.kind !== 'contributions' || measure === undefined) return [];
  const rowsIn = async (dimension: Member, period: DateSpan | null) => {
    const query = queryOf({ ...reading, dimensions: [dimension], span: period, limit: maxValues });
    const { rowSet, totalRows } = await data.load(query, { signal });
    return totalRows > maxValues ? null : rowSet.rows;
  };
  const divisions: Division[] = [];
  for (const dimension of dimensions) {
    const [now, before] = await Promise.all([rowsIn(dimension, span), rowsIn(dimension, computation.against)]);
    const largest = now && before ? largestOf(now, before, dimension, measure) : [];
    const isKnown = divisions.some(other => isSame(other.largest, largest));
    if (largest.length > 0 && !isKnown) divisions.push({ dimension, largest });
  }
  return divisions.sort((a, b) => sizeOf(b.largest[0]) - sizeOf(a.largest[0])).slice(0, maxDimensions);
}

/** Returns the groups with the largest changes; empty if there is only one group. */
function largestOf(now: readonly Row[], before: readonly Row[], dimension: Member, measure: Member): Contribution[] {
  const groups = new Map<string | null, Contribution>();
  const add = (row: Row, part: (value: number) => Partial<Contribution>) => {
    const cell = row[dimension.name] ?? null;
    const value = cell === null ? null : String(cell);
    const figure = Number(row[measure.name] ?? 0);
    const group = groups.get(value) ?? { value, before: 0, now: 0 };
    groups.set(value, { ...group, ...part(Number.isFinite(figure) ? figure : 0) });
  };
  for (const row of now) add(row, value => ({ now: value }));
  for (const row of before) add(row, value => ({ before: value }));
  if (groups.size < 2) return [];
  return [...groups.values()].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, maxListed);
}

/**
 * Whether two lists contain the same changes. This is the case for cities and the codes of these cities, for example.
 */
function isSame(one: readonly Contribution[], other: readonly Contribution[]): boolean {
  const figures = (list: readonly Contribution[]) => JSON.stringify(list.map(({ now, before }) => [now, before]));
  return figures(one) === figures(other);
}

/** Describes the change of a measure and the groups that contribute most to it. */
export function contributionsText(
  reading: Reading,
  [main, other]: readonly Result[],
  divisions: readonly Division[],
  { writer, locale }: { readonly writer: Writer; readonly locale: string },
): string {
  const [measure] = reading.measures;
  const { computation, span } = reading;
  if (!main || !other || measure === undefined || computation.kind !== 'contributions' || span === null) return '';
  const [now, before] = [main, other].map(result => numberAt(result, result.rows[0], measure.name) ?? 0);
  const [current, earlier] = [span, computation.against].map(period => plainText(describeSpan(period, locale)));
  const total = (now ?? 0) - (before ?? 0);
  const cell = (value: number) => writer.cell(measure.name, String(value));
  const title = plainText(measure.title);
  const shown = `**${cell(now ?? 0)}**`;
  const lead =
    total === 0
      ? `${title} did not change: ${shown} in both periods (${earlier} and ${current}).`
      : `${title} ${total > 0 ? 'rose' : 'fell'} from ${cell(before ?? 0)} (${earlier}) to ${shown} (${current}): **${changeText(measure, now ?? null, before ?? null, writer)}**.`;
  if (divisions.length === 0) return `${lead} No grouping breaks down this change.`;
  const rows = divisions.flatMap(({ dimension, largest }) =>
    largest.map(one => [
      plainText(dimension.title),
      one.value === null ? '∅' : writer.cell(dimension.name, one.value),
      cell(one.before),
      cell(one.now),
      writer.signed(cell(Number(changeOf(one).toPrecision(12))), changeOf(one)),
      total === 0 ? '–' : writer.percent(changeOf(one) / total),
    ]),
  );
  const head = ['Grouping', 'Value', earlier ?? '', current ?? '', 'Change', 'Part of the change'];
  const note = 'These are the largest changes of each grouping. They show where the value changed, but not why.';
  return `${lead}\n${tableOf(head, rows, 2)}\n\n${note}`;
}
