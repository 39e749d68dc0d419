import { countedIn } from '../../../messages/counted.js';
import type { MapMessages } from './messages.js';

const counted = countedIn('es');

/** Spanish. */
export const es: MapMessages = {
  states: count => counted(count, { one: 'Mapa de # estado.', other: 'Mapa de # estados.' }),
  countries: count => counted(count, { one: 'Mapa de # país.', other: 'Mapa de # países.' }),
  points: count => counted(count, { one: 'Mapa de # punto.', other: 'Mapa de # puntos.' }),
  highest: (name, figure) => `Máximo: ${name}, ${figure}.`,
  lowest: (name, figure) => `Mínimo: ${name}, ${figure}.`,
  notShown: count => counted(count, { one: '# no mostrado', other: '# no mostrados' }),
  unfound: (count, examples) =>
    `${counted(count, { one: 'No se encontró # lugar en este mapa', other: 'No se encontraron # lugares en este mapa' })}${examples && `: ${examples}`}.`,
  repeated: count =>
    counted(count, {
      one: '# fila más nombra un lugar ya dibujado.',
      other: '# filas más nombran lugares ya dibujados.',
    }),
  omitted: count =>
    counted(count, {
      one: 'Se omitió # fila: hay demasiadas para dibujar.',
      other: 'Se omitieron # filas: hay demasiadas para dibujar.',
    }),
};
