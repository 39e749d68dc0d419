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

/**
 * Fired when the user opens a dashboard. Cancel it to show the dashboard elsewhere; the element then keeps showing the
 * list.
 */
export class PaOpenEvent extends Event {
  readonly detail: PaOpenDetail;

  constructor(detail: PaOpenDetail) {
    super('pa-open', { bubbles: true, composed: true, cancelable: true });
    this.detail = detail;
  }
}

/** Detail of `pa-publish`: the published dashboard. */
export interface PaPublishDetail {
  /** Number of the workbook. */
  readonly workbookId: number;
  /** Public id of the dashboard, for `<pa-dashboard>`. */
  readonly publicId: string;
  readonly versionNumber: number;
}

/** Fired when the user has published a dashboard. */
export class PaPublishEvent extends Event {
  readonly detail: PaPublishDetail;

  constructor(detail: PaPublishDetail) {
    super('pa-publish', { bubbles: true, composed: true });
    this.detail = detail;
  }
}

declare global {
  interface HTMLElementEventMap {
    'pa-open': PaOpenEvent;
    'pa-publish': PaPublishEvent;
  }
}
