import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { Row } from '../../../contract/data.js';
import type { Column } from '../../../contract/row-set.js';
import type { Mark } from '../../../report/marks/mark.js';

/** Resolved colors and font of the page. */
export interface RendererTheme {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly series: readonly string[];
  readonly font: string;
}

/** Input of a custom renderer. */
export interface RendererInput {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  /** `spec` of the published report. */
  readonly spec: ReportSnapshot['spec'];
  /** Name of the tile. */
  readonly label: string;
  readonly theme: RendererTheme;
  /** BCP 47 language tag. */
  readonly locale: string;
  /** Size of the container, px. */
  readonly size: { readonly width: number; readonly height: number };
  /** Aborted when the output is no longer needed. */
  readonly signal: AbortSignal;
  /**
   * Selects a mark, as a click in a built-in chart does. The selection filters other tiles, or opens the menu for
   * drilling into the mark. Menus open at `anchor`; `'add'` extends the selection.
   */
  readonly pick: (mark: Mark, anchor: Element, extend?: 'add') => void;
}

/** Output of a render function. */
export interface Rendered {
  /** Updates the output with new rows, size, language or theme. If not set, the renderer runs again. */
  readonly update?: (input: RendererInput) => void | Promise<void>;
  /** Cleans up everything outside of the container. */
  readonly dispose?: () => void;
}

/** Renders into an empty container. */
export type RenderFunction = (
  container: HTMLElement,
  input: RendererInput,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that has nothing to update returns nothing
) => Rendered | void | Promise<Rendered | void>;

/** Renders reports of a custom kind: a custom element that receives its `input`, or a function. */
export type Renderer = {
  /** Loads the renderer's code when the first report of the kind is needed. */
  readonly load?: () => Promise<unknown>;
} & (
  | { readonly element: string; readonly render?: undefined }
  | { readonly render: RenderFunction; readonly element?: undefined }
);

const builtIn: readonly string[] = ['vega', 'table', 'kpi', 'html', 'map', 'sankey', 'text', 'custom'];
const renderers = new Map<string, Renderer>();

/**
 * Registers a renderer for a custom kind of snapshot (`snapshot.kind`), for all dashboards and reports of the page.
 * @throws {TypeError} if the kind already has a renderer, or if the renderer has neither an element nor a function.
 */
export function registerRenderer(kind: string, renderer: Renderer): void {
  if (builtIn.includes(kind) || renderers.has(kind))
    throw new TypeError(`A renderer for kind "${kind}" is already registered.`);
  const { element, render } = renderer;
  const isElement = typeof element === 'string' && element.includes('-');
  if (!kind || (!isElement && typeof render !== 'function')) {
    throw new TypeError(
      'A renderer requires a kind, and either the tag name of a custom element or a render function.',
    );
  }
  renderers.set(kind, renderer);
}

/** Returns the renderer of a kind, or `null`. */
export function rendererOf(kind: string | null | undefined): Renderer | null {
  return (kind && renderers.get(kind)) || null;
}
