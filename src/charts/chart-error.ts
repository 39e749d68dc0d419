/** What can be wrong with a chart. */
export const ChartErrorCode = {
  /** The specification is not JSON, or not a specification. */
  unreadable: 'chart_spec_unreadable',
  /** The specification is larger than a chart may be. */
  tooLarge: 'chart_spec_too_large',
  /** The specification asks for something that a chart must not load. */
  outside: 'chart_spec_loads',
  /** Vega or Vega-Lite refuses the specification. */
  invalid: 'chart_spec_invalid',
  /** The specification asks for something that charts do not draw; a dashboard has another way to show it. */
  unsupported: 'chart_unsupported',
  /** The specification reads a field that is no column of the query. */
  unknownField: 'chart_field_unknown',
  /** The specification makes more of the rows than a page should have to bear. */
  tooMuch: 'chart_too_much',
  /** The specification is fine, and drawing these rows by it failed. */
  failed: 'chart_failed',
} as const;
/** What can be wrong with a chart. */
export type ChartErrorCode = (typeof ChartErrorCode)[keyof typeof ChartErrorCode];

/** A chart that can't be drawn. The message is for the author of the report and never holds values of rows. */
export class ChartError extends Error {
  override readonly name = 'ChartError';

  constructor(
    readonly code: ChartErrorCode,
    message: string,
  ) {
    super(message);
  }
}
