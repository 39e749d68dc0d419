import type { MenuMessages } from './messages.js';

/** English. */
export const en: MenuMessages = {
  showAsTable: 'Show as table',
  showAsChart: 'Show as chart',
  downloadCsv: 'Download CSV',
  downloadSvg: 'Download SVG',
  copy: 'Copy rows',
  copied: 'Rows copied',
  copyFailed: 'The browser did not allow the copy.',
  downloadFailed: 'The download failed.',
  refresh: 'Refresh',
  fullscreen: 'Full screen',
  exitFullscreen: 'Leave full screen',
  showRows: 'Show the rows behind this',
  filterByThis: 'Filter the dashboard by this',
  stopFiltering: 'Stop filtering by this',
  newTab: 'opens in a new tab',
};
