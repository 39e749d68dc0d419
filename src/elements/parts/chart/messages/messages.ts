import type { MarkKind } from '../../../../controllers/chart-controller.js';

/** Words of a chart for those who don't see it. */
export interface ChartMessages {
  /** What the drawing is called. */
  readonly chart: string;
  /** Which keys do what on it. */
  readonly keys: string;
  /** `12 bars`. */
  readonly marks: (kind: MarkKind, count: number) => string;
  /** Nothing is drawn. */
  readonly noMarks: string;
  /** Where the figure is greatest: `highest ATL 132,000`. */
  readonly highest: (name: string, value: string) => string;
  /** What a column ranges over. */
  readonly range: (title: string, from: string, to: string) => string;
  /** How many values a column has. */
  readonly values: (title: string, count: number) => string;
  /** Entries that a legend has no room for, two at least: `+45 more`. */
  readonly more: (count: number) => string;
  /** A frame holds more marks than can be chosen. */
  readonly tooMany: (count: number, most: number) => string;
  /** The place of a mark among all. */
  readonly position: (position: number, count: number) => string;
}
