import type { ActiveMark, ChartFacts, MarkKind } from '../../../controllers/report/chart-controller.js';
import {
  createCountFormat,
  createPluralizer,
  type MessageTree,
  type PluralForms,
} from '../../messages/message-format.js';

const pluralize = createPluralizer('en');
const countFormat = createCountFormat('en');
const markForms: Readonly<Record<MarkKind, PluralForms>> = {
  bar: { one: '# bar', other: '# bars' },
  line: { one: '# line', other: '# lines' },
  area: { one: '# area', other: '# areas' },
  point: { one: '# point', other: '# points' },
  slice: { one: '# slice', other: '# slices' },
  cell: { one: '# cell', other: '# cells' },
  mark: { one: '# mark', other: '# marks' },
};

/** English messages that describe charts to assistive technology. */
export const chartMessages = {
  /** Role description of the chart. */
  chart: 'chart',
  /** Describes the keyboard shortcuts. */
  keys: 'Arrow keys move between marks, Enter selects a mark, Shift+F10 opens its menu, Escape leaves the chart.',
  /** Number of marks: `12 bars`. */
  marks: (kind: MarkKind, count: number) => pluralize(count, markForms[kind]),
  /** Shown if the chart has no marks. */
  noMarks: 'No marks',
  /** The maximum: `highest ATL 132,000`. */
  highest: (name: string, value: string) => `highest ${name} ${value}`,
  /** Value range of a column. */
  range: (title: string, from: string, to: string) => `${title}: ${from} to ${to}.`,
  /** Number of distinct values of a column. */
  values: (title: string, count: number) => `${title}: ${pluralize(count, { one: '# value.', other: '# values.' })}`,
  /** Number of legend entries that do not fit, at least two: `+45 more`. */
  more: (count: number) => `+${countFormat.format(count)} more`,
  /** Shown if a brush contains more marks than can be selected. */
  tooMany: (count: number, limit: number) =>
    `${countFormat.format(count)} marks are too many: select at most ${countFormat.format(limit)}.`,
  /** Position of a mark among all marks. */
  position: (position: number, count: number) => `${countFormat.format(position)} of ${countFormat.format(count)}`,
} satisfies MessageTree;

/** Messages of charts, for assistive technology, in one language. */
export type ChartMessages = typeof chartMessages;

/** Describes a chart: `12 bars, highest ATL 132,000. Carrier: 12 values. Flights: 980 to 132,000.` */
export function describeChart({ marks, highest, columns }: ChartFacts, messages: ChartMessages): string {
  const markTexts = marks.map(({ kind, count }) => messages.marks(kind, count));
  const first = [...markTexts, ...(highest ? [messages.highest(highest.name, highest.value)] : [])].join(', ');
  const sentences = columns.map(column =>
    column.kind === 'range'
      ? messages.range(column.title, column.from, column.to)
      : messages.values(column.title, column.count),
  );
  return [`${first || messages.noMarks}.`, ...sentences].join(' ');
}

/** Describes a mark and its position: `Carrier AA, Flights 132,000, 1 of 12`. */
export function describeMark({ facts, position, count }: ActiveMark, messages: ChartMessages): string {
  const shown = facts.map(({ title, value }) => `${title} ${value}`);
  return [...shown, messages.position(position, count)].join(', ');
}
