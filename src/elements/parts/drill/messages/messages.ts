import type { Notice } from '../../../messages/messages.js';

/** Words of the dialog with what is behind a mark. */
export interface DrillMessages {
  /** Heading where neither measure nor values have a name. */
  readonly rowsBehind: string;
  /** Name of the path that leads back. */
  readonly path: string;
  readonly close: string;
  readonly loading: string;
  readonly empty: Notice;
  /** Of a dashboard that this page has no way to open, by the link's label. */
  readonly cannotOpen: (label: string) => Notice;
  readonly downloadCsv: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly rowCount: (count: number) => string;
  readonly firstRows: (count: string) => string;
}
