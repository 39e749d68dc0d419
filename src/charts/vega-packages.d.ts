// Vega's parts ship without declarations of their own; the types of the whole stand in `vega`.

declare module 'vega-dataflow' {
  /** What a transform was told by a specification. */
  export type Parameters = Readonly<Record<string, unknown>>;
  /** Rows on their way through a data flow. */
  export interface Pulse {
    readonly SOURCE: number;
    readonly source?: readonly object[];
    /** Makes lists of rows that were only described. */
    materialize(flags: number): this;
    /** Marks all rows as modified; with `fork` in a pulse of its own. */
    reflow(fork?: boolean): this;
    /** Names properties that have changed. */
    modifies(properties: readonly string[]): this;
    readonly dataflow: { locale(): { readonly more?: ((count: number) => string) | undefined } };
  }
  interface Bounds {
    readonly x1: number;
    readonly x2: number;
    clear(): this;
    union(other: Bounds): this;
  }
  /** A label of an axis. */
  export interface LabelItem {
    readonly datum: { readonly value: unknown; readonly index: number };
    readonly mark: { readonly bounds: Bounds };
    readonly bounds: Bounds;
    readonly x: number;
    readonly fontSize?: number;
    opacity?: number;
    angle?: number | undefined;
    align?: string | undefined;
    baseline?: string | undefined;
    limit?: number | undefined;
  }
  interface Transform {
    transform(parameters: Parameters, pulse: Pulse): unknown;
    /** What it made last. */
    value?: unknown;
    /** Of a facet: the flow of one part. */
    subflow?(key: unknown, ...rest: readonly unknown[]): unknown;
  }
  export type TransformClass = new (...parameters: never[]) => Transform;
  /** The registry from which views take their transforms. */
  export const transforms: Record<string, TransformClass>;
}
declare module 'vega-transforms' {}
declare module 'vega-view-transforms' {}
declare module 'vega-encode' {}
declare module 'vega-regression' {}
declare module 'vega-scenegraph' {
  import type { Loader } from 'vega';

  class Renderer {
    constructor(loader: Loader);
    /** Draws a scene, or the marks of it that have changed. */
    render(scene: unknown, markTypes?: unknown): this;
  }
  export class SVGRenderer extends Renderer {}
  export class CanvasRenderer extends Renderer {}
  /** Computes the bounds of an item again. */
  export function boundItem(item: object): unknown;
  /** What draws under one name: on a page, without a page, and what listens to the drawing. */
  export interface RenderModule {
    readonly renderer: typeof Renderer;
    readonly headless?: unknown;
    readonly handler?: unknown;
  }
  /** The module of a name; with a second argument it is registered. */
  export function renderModule(name: string, module?: RenderModule): RenderModule;
}
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
