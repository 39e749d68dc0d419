import type { MenuMessages } from './messages.js';

/** Spanish. */
export const es: MenuMessages = {
  showAsTable: 'Mostrar como tabla',
  showAsChart: 'Mostrar como gráfico',
  downloadCsv: 'Descargar CSV',
  downloadSvg: 'Descargar SVG',
  copy: 'Copiar filas',
  copied: 'Filas copiadas',
  copyFailed: 'El navegador no permitió copiar.',
  downloadFailed: 'La descarga ha fallado.',
  refresh: 'Actualizar',
  fullscreen: 'Pantalla completa',
  exitFullscreen: 'Salir de pantalla completa',
  showRows: 'Mostrar las filas que hay detrás',
  filterByThis: 'Filtrar el panel por esto',
  stopFiltering: 'Dejar de filtrar por esto',
  newTab: 'se abre en una pestaña nueva',
};
