import { countedIn } from '../../../messages/counted.js';
import type { DrillMessages } from './messages.js';

const counted = countedIn('es');

/** Spanish. */
export const es: DrillMessages = {
  rowsBehind: 'Filas que forman la cifra',
  path: 'Camino de vuelta',
  close: 'Cerrar',
  loading: 'Cargando las filas…',
  empty: ['Sin filas', 'No hay nada detrás de esto.'],
  cannotOpen: label => [
    'No se ha abierto',
    `Esta página no abre otros paneles, así que «${label}» no lleva a ninguna parte.`,
  ],
  downloadCsv: 'Descargar CSV',
  copy: 'Copiar filas',
  copied: 'Filas copiadas',
  copyFailed: 'El navegador no permitió copiar.',
  rowCount: count => counted(count, { one: '# fila', other: '# filas' }),
  firstRows: count => `Primeras ${count} filas. Puede haber más.`,
};
