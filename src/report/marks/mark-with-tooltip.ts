import type { Mark } from './mark.js';

/** Content of a tooltip. */
export interface Tooltip {
  /** Empty for none. */
  readonly title: string;
  readonly rows: readonly {
    readonly label: string;
    readonly value: string;
    /** Color of the series, if colors distinguish rows. */
    readonly color?: string | null | undefined;
  }[];
}

/** A mark of a drawing, with its tooltip. */
export interface MarkWithTooltip {
  readonly mark: Mark;
  readonly tooltip: Tooltip;
}
