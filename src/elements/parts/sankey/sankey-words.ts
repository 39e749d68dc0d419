import type { Flows } from '../../../report/sankey.js';
import { columnPrinter, columnTitle, type Presentation } from '../../../report/table.js';
import type { DrawnMark } from '../marks/marks-controller.js';
import type { SankeyMessages } from './messages/messages.js';

/** A place or a flow as it is told. */
export interface DrawnFlow extends DrawnMark {
  readonly name: string;
  /** All that its tooltip says. */
  readonly words: string;
}

/** Places and flows with their names and tooltips. */
export interface FlowWords {
  readonly nodes: readonly DrawnFlow[];
  readonly links: readonly DrawnFlow[];
  /** What is drawn, in sentences. */
  readonly summary: string;
}

/** Characters of a name that are read and shown. */
const longestName = 200;

/** Puts flows in words. */
export function wordsOf(flows: Flows, presentation: Presentation, messages: SankeyMessages): FlowWords {
  const { measure, links } = flows;
  const print = columnPrinter(measure, presentation);
  const names = flows.nodes.map(({ column, value }) =>
    columnPrinter(column, presentation)(value).slice(0, longestName),
  );
  const sums = { in: new Map<number, number>(), out: new Map<number, number>() };
  for (const { source, target, value } of links) {
    sums.out.set(source, (sums.out.get(source) ?? 0) + value);
    sums.in.set(target, (sums.in.get(target) ?? 0) + value);
  }
  const told = (name: string, mark: DrawnMark['mark'], rows: DrawnMark['tooltip']['rows']): DrawnFlow => ({
    mark,
    name,
    tooltip: { title: name, rows },
    words: [name, ...rows.map(row => `${row.label}: ${row.value}`)].join(', '),
  });
  const title = columnTitle(measure);
  const drawnLinks = links.map(({ source, target, value, mark }) => {
    const name = messages.flow(names[source] ?? '', names[target] ?? '');
    return told(name, mark, [{ label: title, value: print(value) }]);
  });
  const nodes = flows.nodes.map(({ mark }, index) => {
    const sides = [
      { label: messages.incoming, sum: sums.in.get(index) },
      { label: messages.outgoing, sum: sums.out.get(index) },
    ].flatMap(({ label, sum }) => (sum === undefined ? [] : [{ label, value: print(sum) }]));
    const [only] = sides;
    const rows = sides.length === 1 && only ? [{ label: title, value: only.value }] : sides;
    return told(names[index] ?? '', mark, rows);
  });
  return { nodes, links: drawnLinks, summary: summaryOf(flows, drawnLinks, messages) };
}

function summaryOf({ links }: Flows, drawn: readonly DrawnFlow[], messages: SankeyMessages): string {
  const largest = links.reduce((best, { value }, index) => (value > (links[best]?.value ?? 0) ? index : best), 0);
  const told = drawn[largest];
  const figure = told?.tooltip.rows[0]?.value ?? '';
  return [messages.flows(links.length), ...(told ? [messages.largest(told.name, figure)] : [])].join(' ');
}
