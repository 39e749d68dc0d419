import type { ExportFailure } from '../../../contract/dashboard-exports.js';
import type { MessageTree } from '../../messages/message-format.js';
import { sharedMessages } from '../../messages/shared-messages.js';

/** English messages of the menus of a tile. */
export const menuMessages = {
  showAsTable: 'Show as table',
  showAsChart: 'Show as chart',
  downloadCsv: sharedMessages.downloadCsv,
  downloadSvg: 'Download SVG',
  downloadPng: 'Download PNG',
  downloadPdf: 'Download PDF',
  downloadXlsx: 'Download XLSX',
  copyImage: 'Copy image',
  imageCopied: 'Image copied',
  /** Label of the button that opens the export menu of a dashboard. */
  export: 'Export',
  /** Label of the list of running exports. */
  exports: 'Exports',
  exporting: (title: string, format: string) => `Exporting ${title} as ${format}`,
  exported: (title: string) => `Exported ${title}`,
  exportFailed: 'The export failed.',
  exportDenied: 'You do not have permission to download this data.',
  exportBusy: 'Too many exports are in progress. Try again later.',
  /** Reason why an export by the host failed. */
  exportFailures: {
    export_failed: 'The file could not be created. Try again in a moment.',
    export_too_large: 'The file would be larger than 50 MB.',
    export_too_slow: 'Creating the file took too long.',
    export_dashboard_gone: 'The dashboard is no longer available.',
    export_widget_unknown: 'This part of the dashboard no longer exists.',
    export_no_model: 'The service has no data to export.',
  } satisfies Readonly<Record<ExportFailure, string>>,
  cancel: sharedMessages.cancel,
  dismiss: 'Dismiss',
  copy: sharedMessages.copyRows,
  copied: sharedMessages.rowsCopied,
  copyFailed: sharedMessages.copyFailed,
  downloadFailed: 'The download failed.',
  refresh: 'Refresh',
  fullscreen: 'Full screen',
  exitFullscreen: 'Exit full screen',
  /** Menu item that shows the rows behind a mark. */
  showRows: 'Show underlying rows',
  /** Menu items that start and stop filtering the other tiles by a mark. */
  filterByThis: 'Filter dashboard by this',
  stopFiltering: 'Stop filtering by this',
  /** Text after the label of an external link. */
  newTab: 'opens in a new tab',
} satisfies MessageTree;

/** Messages of the menus of a tile, in one language. */
export type MenuMessages = typeof menuMessages;
