import type { MenuMessages } from './messages.js';

/** German. */
export const de: MenuMessages = {
  showAsTable: 'Als Tabelle zeigen',
  showAsChart: 'Als Diagramm zeigen',
  downloadCsv: 'CSV herunterladen',
  downloadSvg: 'SVG herunterladen',
  copy: 'Zeilen kopieren',
  copied: 'Zeilen kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt.',
  downloadFailed: 'Das Herunterladen ist fehlgeschlagen.',
  refresh: 'Neu laden',
  fullscreen: 'Vollbild',
  exitFullscreen: 'Vollbild verlassen',
  showRows: 'Zeilen dahinter zeigen',
  filterByThis: 'Dashboard hiernach filtern',
  stopFiltering: 'Nicht mehr hiernach filtern',
  newTab: 'öffnet in einem neuen Tab',
};
