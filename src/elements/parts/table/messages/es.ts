import type { TableMessages } from './messages.js';

const plural = new Intl.PluralRules('es');
const isOne = (count: number): boolean => plural.select(count) === 'one';

/** Spanish. */
export const es: TableMessages = {
  sortHint: 'Clic o Intro ordena, Mayús añade una columna, F2 cambia el ancho',
  sortsShown: 'Ordena solo las filas mostradas: puede haber más',
  ascending: title => `${title}, ascendente`,
  descending: title => `${title}, descendente`,
  sortedBy: list => `Ordenado por ${list}`,
  unsorted: 'En el orden del informe',
  width: title => `Ancho de ${title}`,
  copied: (count, text) => (isOne(count) ? '1 celda copiada' : `${text} celdas copiadas`),
  copyTooMany: most => `Demasiado para copiar: ${most} celdas como máximo`,
  leftOut: (count, text) => (isOne(count) ? 'Se omite 1 fila más.' : `Se omiten ${text} filas más.`),
  tones: { positive: 'bueno', negative: 'malo', warning: 'advertencia', accent: 'destacado' },
  trend: (count, text, from, to) => (isOne(count) ? `1 valor, ${to}` : `${text} valores, de ${from} a ${to}`),
  cut: 'Hay más de lo que cabe en una tabla: no se muestran todas las columnas y filas.',
  total: 'Total',
  columnGroup: 'Columnas mostradas',
  allGroups: 'Todas las columnas',
};
