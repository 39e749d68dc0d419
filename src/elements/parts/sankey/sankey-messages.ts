import type { MarkWithTooltip } from '../../../report/marks/mark-with-tooltip.js';
import type { Flows } from '../../../report/sankey/sankey.js';
import { columnPrinter, columnTitle, type Presentation } from '../../../report/table/table.js';
import { createPluralizer, type MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

const pluralize = createPluralizer('en');

/** English messages of Sankey diagrams. */
export const sankeyMessages = {
  /** Number of flows, as a sentence. */
  flows: (count: number) => pluralize(count, { one: '# flow.', other: '# flows.' }),
  largest: (name: string, figure: string) => `Largest: ${name}, ${figure}.`,
  /** Source and target of a flow. */
  flow: (from: string, to: string) => `${from} to ${to}`,
  /** Labels of the inflow and the outflow of a node. */
  incoming: 'In',
  outgoing: 'Out',
  nothingFlows: ['No flows', 'No row has a value above zero.'],
  /** Label of the hint that not all flows are shown. */
  notShown: sharedMessages.notShown,
  /** Reasons why flows are not shown, one sentence each. */
  unusable: (count: number) =>
    pluralize(count, {
      one: '# row without a value above zero was omitted.',
      other: '# rows without a value above zero were omitted.',
    }),
  circular: (count: number) =>
    pluralize(count, {
      one: '# flow that closes a cycle was omitted.',
      other: '# flows that close a cycle were omitted.',
    }),
  omitted: (count: number) =>
    pluralize(count, {
      one: '# of the smallest flows was omitted because there are too many to show.',
      other: '# of the smallest flows were omitted because there are too many to show.',
    }),
} satisfies MessageTree;

/** Messages of Sankey diagrams, in one language. */
export type SankeyMessages = typeof sankeyMessages;

/** A node or link with its labels. */
export interface SankeyMark extends MarkWithTooltip {
  readonly name: string;
  /** Full tooltip text. */
  readonly words: string;
}

/** Nodes and links with their names and tooltips. */
export interface FlowWords {
  readonly nodes: readonly SankeyMark[];
  readonly links: readonly SankeyMark[];
  /** Description of the diagram, in sentences. */
  readonly summary: string;
}

/** Maximum length of a name, in characters. */
const maxNameLength = 200;

/** Returns the names, tooltips and description of flows. */
export function wordsOf(flows: Flows, presentation: Presentation, messages: SankeyMessages): FlowWords {
  const { measure, links } = flows;
  const print = columnPrinter(measure, presentation);
  const names = flows.nodes.map(({ column, value }) =>
    columnPrinter(column, presentation)(value).slice(0, maxNameLength),
  );
  const sums = { in: new Map<number, number>(), out: new Map<number, number>() };
  for (const { source, target, value } of links) {
    sums.out.set(source, (sums.out.get(source) ?? 0) + value);
    sums.in.set(target, (sums.in.get(target) ?? 0) + value);
  }
  const label = (
    name: string,
    mark: MarkWithTooltip['mark'],
    rows: MarkWithTooltip['tooltip']['rows'],
  ): SankeyMark => ({
    mark,
    name,
    tooltip: { title: name, rows },
    words: [name, ...rows.map(row => `${row.label}: ${row.value}`)].join(', '),
  });
  const title = columnTitle(measure);
  const linkMarks = links.map(({ source, target, value, mark }) => {
    const name = messages.flow(names[source] ?? '', names[target] ?? '');
    return label(name, mark, [{ label: title, value: print(value) }]);
  });
  const nodes = flows.nodes.map(({ mark }, index) => {
    const sides = [
      { label: messages.incoming, sum: sums.in.get(index) },
      { label: messages.outgoing, sum: sums.out.get(index) },
    ].flatMap(({ label, sum }) => (sum === undefined ? [] : [{ label, value: print(sum) }]));
    const [only] = sides;
    const rows = sides.length === 1 && only ? [{ label: title, value: only.value }] : sides;
    return label(names[index] ?? '', mark, rows);
  });
  return { nodes, links: linkMarks, summary: summaryOf(flows, linkMarks, messages) };
}

function summaryOf({ links }: Flows, linkMarks: readonly SankeyMark[], messages: SankeyMessages): string {
  const largest = links.reduce((best, { value }, index) => (value > (links[best]?.value ?? 0) ? index : best), 0);
  const largestMark = linkMarks[largest];
  const figure = largestMark?.tooltip.rows[0]?.value ?? '';
  return [messages.flows(links.length), ...(largestMark ? [messages.largest(largestMark.name, figure)] : [])].join(' ');
}
