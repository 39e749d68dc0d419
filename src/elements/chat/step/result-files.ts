import type { ReactiveControllerHost } from 'lit';
import type { RowSet } from '../../../contract/row-set.js';
import { fileName } from '../../../report/format/file-name.js';
import { createFormatter } from '../../../report/format/format.js';
import { toCsv } from '../../../report/table/csv.js';
import { toTable } from '../../../report/table/table.js';
import { saveFile } from '../../parts/save-file.js';
import type { ImageStyle } from './table-image.js';

interface ResultFilesHost extends ReactiveControllerHost {
  readonly renderRoot: HTMLElement | DocumentFragment;
}

interface ResultFilesOptions {
  readonly title: () => string;
  readonly rowSet: () => RowSet | null;
  readonly locale: () => string;
  /** Whether viewers may not download rows. */
  readonly restricted: () => boolean;
}

/** Saves a result as files: its rows as CSV, its chart or table as PNG. */
export class ResultFiles {
  readonly #host: ResultFilesHost;
  readonly #options: ResultFilesOptions;
  #hasFailed = false;

  constructor(host: ResultFilesHost, options: ResultFilesOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Whether creating the last image failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  readonly saveRows = (): void => {
    const rowSet = this.#options.rowSet();
    if (!rowSet || this.#options.restricted()) return;
    // The byte order mark makes spreadsheets read the file as UTF-8.
    this.#save(new Blob(['\ufeff', toCsv(rowSet)], { type: 'text/csv;charset=utf-8' }), 'csv');
  };

  readonly saveImage = async (): Promise<void> => {
    this.#setFailed({ hasFailed: false });
    // If the image cannot be created, the result shows a message.
    const png = await this.#createImage().catch(() => null);
    if (this.#options.restricted()) return;
    if (png) this.#save(png, 'png');
    else this.#setFailed({ hasFailed: true });
  };

  /** Returns the chart that is shown, otherwise the rows as a table. */
  async #createImage(): Promise<Blob | null> {
    const chart = this.#host.renderRoot.querySelector('pa-tile-chart');
    if (chart) return chart.toPng();
    const rowSet = this.#options.rowSet();
    const frame = this.#host.renderRoot.querySelector('article');
    if (!rowSet || !frame) return null;
    const { createTableImage } = await import('./table-image.js');
    const table = toTable(rowSet, { formatter: createFormatter(this.#options.locale()) });
    return createTableImage(this.#options.title(), table, styleOf(frame));
  }

  #setFailed({ hasFailed }: { readonly hasFailed: boolean }): void {
    this.#hasFailed = hasFailed;
    this.#host.requestUpdate();
  }

  #save(file: Blob, extension: 'csv' | 'png'): void {
    saveFile(`${fileName(this.#options.title(), 'result')}.${extension}`, file);
  }
}

/** Returns the computed colors and font of a result. */
function styleOf(frame: HTMLElement): ImageStyle {
  const own = getComputedStyle(frame);
  const footer = frame.querySelector('footer');
  return {
    family: own.fontFamily,
    text: own.color,
    muted: footer ? getComputedStyle(footer).color : own.color,
    line: own.borderTopColor,
    surface: own.backgroundColor,
    isRightToLeft: own.direction === 'rtl',
  };
}
