/** Error codes of `ChartError`. */
export const ChartErrorCode = {
  /** The specification is not valid JSON or not an object. */
  unreadable: 'chart_spec_unreadable',
  /** The specification exceeds the maximum length, nesting depth or number of views. */
  tooLarge: 'chart_spec_too_large',
  /** The specification references an external resource. */
  outside: 'chart_spec_loads',
  /** Vega or Vega-Lite rejects the specification. */
  invalid: 'chart_spec_invalid',
  /** The specification uses a feature that charts do not support; dashboards offer an alternative. */
  unsupported: 'chart_unsupported',
  /** The specification reads a field that is not a column of the query. */
  unknownField: 'chart_field_unknown',
  /** The specification generates more data than a page can handle. */
  tooMuch: 'chart_too_much',
  /** The specification is valid, but rendering these rows failed. */
  failed: 'chart_failed',
} as const;
/** Error code of a `ChartError`. */
export type ChartErrorCode = (typeof ChartErrorCode)[keyof typeof ChartErrorCode];

/** A chart cannot be rendered. The message addresses the author of the report and never contains values of rows. */
export class ChartError extends Error {
  override readonly name = 'ChartError';

  constructor(
    readonly code: ChartErrorCode,
    message: string,
  ) {
    super(message);
  }
}
