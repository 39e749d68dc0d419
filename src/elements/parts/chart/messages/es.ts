import type { MarkKind } from '../../../../controllers/chart-controller.js';
import { countedIn, type Forms, figuresIn } from '../../../messages/counted.js';
import type { ChartMessages } from './messages.js';

const counted = countedIn('es');
const figure = figuresIn('es');

const kinds: Readonly<Record<MarkKind, Forms>> = {
  bar: { one: '# barra', other: '# barras' },
  line: { one: '# línea', other: '# líneas' },
  area: { one: '# área', other: '# áreas' },
  point: { one: '# punto', other: '# puntos' },
  slice: { one: '# sector', other: '# sectores' },
  cell: { one: '# celda', other: '# celdas' },
  mark: { one: '# marca', other: '# marcas' },
};

/** Spanish. */
export const es: ChartMessages = {
  chart: 'gráfico',
  keys: 'Las flechas van de marca en marca, Intro elige una, Mayús+F10 abre su menú, Escape sale.',
  marks: (kind, count) => counted(count, kinds[kind]),
  noMarks: 'No hay nada dibujado',
  highest: (name, value) => `máximo ${name} ${value}`,
  range: (title, from, to) => `${title}: de ${from} a ${to}.`,
  values: (title, count) => `${title}: ${counted(count, { one: '# valor.', other: '# valores.' })}`,
  more: count => `+${figure.format(count)} más`,
  tooMany: (count, most) => `${figure.format(count)} marcas son demasiadas: elija ${figure.format(most)} como máximo.`,
  position: (position, count) => `${figure.format(position)} de ${figure.format(count)}`,
};
