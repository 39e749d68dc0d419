// Vega's packages have no type declarations; `vega` declares the types of the whole library.

declare module 'vega-dataflow' {
  /** Parameters of a transform in a specification. */
  export type Parameters = Readonly<Record<string, unknown>>;
  /** Rows that pass through a data flow. */
  export interface Pulse {
    readonly SOURCE: number;
    readonly source?: readonly object[];
    /** Materializes the row lists selected by `flags`. */
    materialize(flags: number): this;
    /** Marks all rows as modified. With `fork`, does so in a new pulse. */
    reflow(fork?: boolean): this;
    /** Marks properties as changed. */
    modifies(properties: readonly string[]): this;
    readonly dataflow: {
      locale(): { readonly more?: ((count: number) => string) | undefined; readonly missing?: string };
    };
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
    /** The previous output of `transform`. */
    value?: unknown;
    /** Returns the data flow of one part of a facet. */
    subflow?(key: unknown, ...rest: readonly unknown[]): unknown;
  }
  export type TransformClass = new (...parameters: never[]) => Transform;
  /** The registry of transforms for all views. */
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
    /**
     * Draws a scene, or only those of its marks that have changed. `markTypes` limits drawing to marks of these types.
     */
    render(scene: unknown, markTypes?: unknown): this;
  }
  export class SVGRenderer extends Renderer {}
  export class CanvasRenderer extends Renderer {}
  /** Measures text. Without a canvas, Vega estimates widths. */
  export const textMetrics: {
    width(item: { readonly fontSize?: number; readonly fontWeight?: string | number }, text: string): number;
  };
  /** Recomputes the bounds of an item. */
  export function boundItem(item: object): unknown;
  /** Implementations of a renderer: for a page, headless, and the event handler. */
  export interface RenderModule {
    readonly renderer: typeof Renderer;
    readonly headless?: unknown;
    readonly handler?: unknown;
  }
  /** Returns the renderer module with this name. Registers it if `module` is given. */
  export function renderModule(name: string, module?: RenderModule): RenderModule;
}
declare module 'vega-view' {
  export const View: typeof import('vega').View;
}
declare module 'vega-parser' {
  import type { Config, Runtime, Spec } from 'vega';
  /** Compiles a specification. With `ast`, the runtime contains syntax trees for an interpreter. */
  export function parse(spec: Spec, config?: Config, options?: { ast?: boolean }): Runtime;
}
declare module 'vega-format' {
  type Print<T> = (value: T) => string;

  /** Formats and parses numbers and times for a view. */
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
  /** Creates a locale from d3 definitions. */
  export function locale(number: object, time: object): VegaLocale;
}
