/** Detail of `pa-open`: the dashboard that the user opens. */
export interface PaOpenDetail {
  /** Number of the workbook. */
  readonly workbookId: number;
  /** Public id of the published dashboard; `null` if it was never published. */
  readonly publicId: string | null;
  readonly name: string;
  /** `edit` opens the editor, `view` the published dashboard. */
  readonly mode: 'edit' | 'view';
}

/** Fired when the user opens a dashboard. Cancel it to show the dashboard elsewhere: the list stays. */
export class PaOpenEvent extends Event {
  readonly detail: PaOpenDetail;

  constructor(detail: PaOpenDetail) {
    super('pa-open', { bubbles: true, composed: true, cancelable: true });
    this.detail = detail;
  }
}

declare global {
  interface HTMLElementEventMap {
    'pa-open': PaOpenEvent;
  }
}
