// Vega's parts ship without declarations of their own; the types of the whole stand in `vega`.

declare module 'vega-dataflow' {
  type Transform = new (...parameters: never[]) => object;
  /** The registry from which views take their transforms. */
  export const transforms: Record<string, Transform>;
}
declare module 'vega-transforms' {}
declare module 'vega-view-transforms' {}
declare module 'vega-encode' {}
declare module 'vega-regression' {}
declare module 'vega-view' {
  export const View: typeof import('vega').View;
}
declare module 'vega-parser' {
  import type { Config, Runtime, Spec } from 'vega';
  /** Compiles a specification; with `ast` the runtime carries syntax trees for an interpreter. */
  export function parse(spec: Spec, config?: Config, options?: { ast?: boolean }): Runtime;
}
declare module 'vega-format' {
  type Print<T> = (value: T) => string;

  /** How a view prints numbers and times. */
  export interface VegaLocale {
    format(specifier: string): Print<number>;
    formatPrefix(specifier: string, value: number): Print<number>;
    formatFloat(specifier?: string | null): Print<number>;
    formatSpan(start: number, stop: number, count: number, specifier?: string | null): Print<number>;
    timeFormat(specifier?: string | Record<string, string> | null): Print<Date | number>;
    utcFormat(specifier?: string | Record<string, string> | null): Print<Date | number>;
    timeParse(specifier: string): (text: string) => Date | null;
    utcParse(specifier: string): (text: string) => Date | null;
  }
  /** A locale of d3 definitions. */
  export function locale(number: object, time: object): VegaLocale;
}
