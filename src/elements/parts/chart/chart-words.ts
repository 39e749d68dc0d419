import type { ActiveMark, ChartFacts } from '../../../controllers/chart-controller.js';
import type { ChartMessages } from './messages/messages.js';

/** What a chart shows: `12 bars, highest ATL 132,000. Carrier: 12 values. Flights: 980 to 132,000.` */
export function describeChart({ marks, highest, columns }: ChartFacts, messages: ChartMessages): string {
  const drawn = marks.map(({ kind, count }) => messages.marks(kind, count));
  const first = [...drawn, ...(highest ? [messages.highest(highest.name, highest.value)] : [])].join(', ');
  const sentences = columns.map(column =>
    column.kind === 'range'
      ? messages.range(column.title, column.from, column.to)
      : messages.values(column.title, column.count),
  );
  return [`${first || messages.noMarks}.`, ...sentences].join(' ');
}

/** What a mark shows, and its place: `Carrier AA, Flights 132,000, 1 of 12`. */
export function describeMark({ facts, position, count }: ActiveMark, messages: ChartMessages): string {
  const shown = facts.map(({ title, value }) => `${title} ${value}`);
  return [...shown, messages.position(position, count)].join(', ');
}
