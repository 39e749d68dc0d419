import type { MarkKind } from '../../../../controllers/chart-controller.js';
import { countedIn, type Forms, figuresIn } from '../../../messages/counted.js';
import type { ChartMessages } from './messages.js';

const counted = countedIn('de');
const figure = figuresIn('de');

const kinds: Readonly<Record<MarkKind, Forms>> = {
  bar: { one: '# Balken', other: '# Balken' },
  line: { one: '# Linie', other: '# Linien' },
  area: { one: '# Fläche', other: '# Flächen' },
  point: { one: '# Punkt', other: '# Punkte' },
  slice: { one: '# Segment', other: '# Segmente' },
  cell: { one: '# Zelle', other: '# Zellen' },
  mark: { one: '# Element', other: '# Elemente' },
};

/** German. */
export const de: ChartMessages = {
  chart: 'Diagramm',
  keys: 'Pfeiltasten gehen von Element zu Element, Eingabe wählt eines, Umschalt+F10 öffnet sein Menü, Escape verlässt das Diagramm.',
  marks: (kind, count) => counted(count, kinds[kind]),
  noMarks: 'Nichts gezeichnet',
  highest: (name, value) => `Höchstwert ${name} ${value}`,
  range: (title, from, to) => `${title}: ${from} bis ${to}.`,
  values: (title, count) => `${title}: ${counted(count, { one: '# Wert.', other: '# Werte.' })}`,
  more: count => `+${figure.format(count)} weitere`,
  tooMany: (count, most) =>
    `${figure.format(count)} Elemente sind zu viele: Wählen Sie höchstens ${figure.format(most)}.`,
  position: (position, count) => `${figure.format(position)} von ${figure.format(count)}`,
};
