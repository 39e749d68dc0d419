import type { ReportSnapshot } from '../contract/dashboards.js';
import type { ReportData } from '../report/query/report-data.js';
import type { SvgElement, SvgNode } from './svg-element.js';

/** Size in px. */
export interface SceneSize {
  readonly width: number;
  readonly height: number;
}

/** A drawing with its text alternative. */
export interface Drawing {
  readonly node: SvgElement;
  /** Text alternative. */
  readonly description: string;
  /** Notes about rows that are not shown. */
  readonly notes: readonly string[];
  /** Message that is drawn because drawing failed. */
  readonly failure?: string;
}

/** A part of a flowing body that a page break does not split: a row of a table or a line of text. */
export interface Strip {
  readonly height: number;
  /** Drawn from the top left corner of the strip. */
  readonly nodes: readonly SvgElement[];
  /** Replaces `nodes` at the top of a page: repeats row headers that `nodes` omits because the row above shows them. */
  readonly topNodes?: readonly SvgElement[];
}

/** Rows of one table with their header, or lines of text without a header. */
export interface Flow {
  /** Repeated at the top of each page. */
  readonly head: readonly Strip[];
  readonly strips: readonly Strip[];
}

/** The body of a tile. */
export type TileBody =
  /** Fills its box. */
  | {
      readonly type: 'drawing';
      readonly draw: (size: SceneSize) => Promise<Drawing>;
    }
  /** As tall as its content. Split at page breaks. */
  | {
      readonly type: 'flow';
      readonly layOut: (width: number) => readonly Flow[];
      readonly html: () => readonly SvgNode[];
      readonly description: string;
      readonly notes: readonly string[];
    };

/** The body of a tile, and why it does not show its report. */
export interface LoadedBody {
  readonly body: TileBody;
  /** Message of a failure; `null` if the report is shown. */
  readonly failure: string | null;
  readonly notes: readonly string[];
  /** The report and its rows; absent for text and failures. */
  readonly report?: { readonly snapshot: ReportSnapshot; readonly data: ReportData };
}
