/** Words of the menus of a tile. */
export interface MenuMessages {
  readonly showAsTable: string;
  readonly showAsChart: string;
  readonly downloadCsv: string;
  readonly downloadSvg: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly downloadFailed: string;
  readonly refresh: string;
  readonly fullscreen: string;
  readonly exitFullscreen: string;
  /** Opens the rows behind a mark. */
  readonly showRows: string;
  /** Filters the other tiles by a mark, and no longer. */
  readonly filterByThis: string;
  readonly stopFiltering: string;
  /** Behind the label of a link that leaves the page. */
  readonly newTab: string;
}
