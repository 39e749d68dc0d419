/**
 * Attributes of an element; those that are `undefined` are omitted. Names that begin with `pdf:` describe the structure
 * of a PDF and are not written to SVG or HTML.
 */
export type SvgAttributes = Readonly<Record<string, string | number | undefined>>;

/** An element of an SVG drawing. */
export interface SvgElement {
  readonly tag: string;
  readonly attributes: SvgAttributes;
  readonly children: readonly SvgNode[];
}

/** An element or text. */
export type SvgNode = SvgElement | string;

/** Creates an element. */
export function element(tag: string, attributes: SvgAttributes, children: readonly SvgNode[] = []): SvgElement {
  return { tag, attributes, children };
}

/** Creates a group that is moved to a position. */
export function groupAt(
  x: number,
  y: number,
  children: readonly SvgNode[],
  attributes: SvgAttributes = {},
): SvgElement {
  return element('g', { ...attributes, transform: `translate(${round(x)} ${round(y)})` }, children);
}

/** Rounds a length to hundredths of a px. */
export function round(length: number): number {
  return Math.round(length * 100) / 100;
}

/** Reads the number in an attribute. */
export function numberOf(value: string | number | undefined, fallback: number): number {
  const number = typeof value === 'number' ? value : Number.parseFloat(value ?? '');
  return Number.isFinite(number) ? number : fallback;
}
