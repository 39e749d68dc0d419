import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { Row } from '../../../contract/data.js';
import type { Column } from '../../../contract/row-set.js';
import type { Mark } from '../../../report/marks/mark.js';

/** Colours and font of the page, as the browser resolves them. */
export interface RendererTheme {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly series: readonly string[];
  readonly font: string;
}

/** What a report of a host's own kind is drawn from. */
export interface RendererInput {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  /** `spec` of the report as it was published. */
  readonly spec: ReportSnapshot['spec'];
  /** Name of the tile. */
  readonly label: string;
  readonly theme: RendererTheme;
  /** BCP 47 tag. */
  readonly locale: string;
  /** Room there is, px. */
  readonly size: { readonly width: number; readonly height: number };
  /** Aborted when the drawing is no longer wanted. */
  readonly signal: AbortSignal;
  /** To be called when somebody chooses a part of the drawing, beside `anchor`: as a mark of a chart, it filters or can be drilled into. */
  readonly pick: (mark: Mark, anchor: Element, extend?: 'add') => void;
}

/** A drawing that was made. */
export interface Rendered {
  /** New rows, another size, language or look; without it the drawing is made anew. */
  readonly update?: (input: RendererInput) => void | Promise<void>;
  /** Takes away what was made outside of the container. */
  readonly dispose?: () => void;
}

/** Draws into an empty container. */
export type RenderFunction = (
  container: HTMLElement,
  input: RendererInput,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that has nothing to update returns nothing
) => Rendered | void | Promise<Rendered | void>;

/** Draws reports of a host's own kind: by a custom element that gets its `input`, or by a function. */
export type Renderer = {
  /** Loads what draws, when the first report of the kind is wanted. */
  readonly load?: () => Promise<unknown>;
} & (
  | { readonly element: string; readonly render?: undefined }
  | { readonly render: RenderFunction; readonly element?: undefined }
);

const builtIn: readonly string[] = ['vega', 'table', 'kpi', 'html', 'map', 'sankey', 'text', 'custom'];
const renderers = new Map<string, Renderer>();

/**
 * Has all dashboards and reports of the page draw snapshots of a kind of the host's own (`snapshot.kind`).
 * @throws {TypeError} of a kind that there is already, and of a renderer that has nothing to draw by.
 */
export function registerRenderer(kind: string, renderer: Renderer): void {
  if (builtIn.includes(kind) || renderers.has(kind))
    throw new TypeError(`There is a renderer of kind "${kind}" already.`);
  const { element, render } = renderer;
  const isElement = typeof element === 'string' && element.includes('-');
  if (!kind || (!isElement && typeof render !== 'function')) {
    throw new TypeError('A renderer needs a kind, and either the tag of a custom element or a function.');
  }
  renderers.set(kind, renderer);
}

/** The renderer of a kind; null where there is none. */
export function rendererOf(kind: string | null | undefined): Renderer | null {
  return (kind && renderers.get(kind)) || null;
}
