import type { MarkKind } from '../../../../controllers/chart-controller.js';
import { countedIn, type Forms, figuresIn } from '../../../messages/counted.js';
import type { ChartMessages } from './messages.js';

const counted = countedIn('en');
const figure = figuresIn('en');

const kinds: Readonly<Record<MarkKind, Forms>> = {
  bar: { one: '# bar', other: '# bars' },
  line: { one: '# line', other: '# lines' },
  area: { one: '# area', other: '# areas' },
  point: { one: '# point', other: '# points' },
  slice: { one: '# slice', other: '# slices' },
  cell: { one: '# cell', other: '# cells' },
  mark: { one: '# mark', other: '# marks' },
};

/** English. */
export const en: ChartMessages = {
  chart: 'chart',
  keys: 'Arrow keys go from mark to mark, Enter picks one, Shift+F10 opens its menu, Escape leaves.',
  marks: (kind, count) => counted(count, kinds[kind]),
  noMarks: 'Nothing is drawn',
  highest: (name, value) => `highest ${name} ${value}`,
  range: (title, from, to) => `${title}: ${from} to ${to}.`,
  values: (title, count) => `${title}: ${counted(count, { one: '# value.', other: '# values.' })}`,
  more: count => `+${figure.format(count)} more`,
  tooMany: (count, most) => `${figure.format(count)} marks are too many: choose ${figure.format(most)} at most.`,
  position: (position, count) => `${figure.format(position)} of ${figure.format(count)}`,
};
