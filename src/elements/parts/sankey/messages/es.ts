import { countedIn } from '../../../messages/counted.js';
import type { SankeyMessages } from './messages.js';

const counted = countedIn('es');

/** Spanish. */
export const es: SankeyMessages = {
  flows: count => counted(count, { one: '# flujo.', other: '# flujos.' }),
  largest: (name, figure) => `Mayor: ${name}, ${figure}.`,
  flow: (from, to) => `de ${from} a ${to}`,
  incoming: 'Entrada',
  outgoing: 'Salida',
  nothingFlows: ['Nada fluye', 'Ninguna fila tiene una cifra mayor que cero.'],
  notShown: count => counted(count, { one: '# no mostrado', other: '# no mostrados' }),
  unusable: count =>
    counted(count, {
      one: 'Se omitió # fila sin una cifra mayor que cero.',
      other: 'Se omitieron # filas sin una cifra mayor que cero.',
    }),
  circular: count =>
    counted(count, {
      one: 'Se omitió # flujo que vuelve en círculo.',
      other: 'Se omitieron # flujos que vuelven en círculo.',
    }),
  omitted: count =>
    counted(count, {
      one: 'Se omitió # de los flujos menores: hay demasiados para dibujar.',
      other: 'Se omitieron # de los flujos menores: hay demasiados para dibujar.',
    }),
};
