import type { View } from 'vega';
import type { Pick } from '../report/marks/mark.js';
import { type ChartTooltip, tooltipContent } from './interaction/tooltip.js';
import { isLine, itemUnder, nearestPoint, type SceneItem } from './scene.js';
import type { VegaChart } from './vega-chart.js';

/** Callbacks for pointer events on a chart. */
export interface PointerOptions {
  /** Replaces field names in a title with column titles. */
  readonly readable: (title: string) => string;
  readonly onTooltip: (tooltip: ChartTooltip | null) => void;
  /** Called with the mark under the pointer, and with `null` when the pointer leaves it. */
  readonly onOver: (item: SceneItem | null) => void;
  /** Called when a mark is clicked or its context menu is requested. Returns true if the event was handled. */
  readonly onPick: (item: SceneItem, how: PickGesture) => boolean;
}

/** How a mark was picked: the intent, and the pointer position on the screen. */
export type PickGesture = Omit<Pick, 'mark' | 'anchor'> & { readonly x: number; readonly y: number };

/**
 * Reports what is under the pointer: the mark that contains the pointer, otherwise the nearest point of a line or area.
 * The view removes the listeners when it is finalized.
 */
export function watchPointer(view: View, chart: VegaChart, options: PointerOptions): void {
  let shown = false;
  const show = (tooltip: ChartTooltip | null) => {
    if (tooltip || shown) options.onTooltip(tooltip);
    shown = tooltip !== null;
  };
  const move = (event: unknown, under: unknown) => {
    if (!(event instanceof MouseEvent)) return;
    const found = itemAt(chart, event, under as SceneItem | null | undefined);
    const content = found && tooltipContent(found.item, options.readable);
    show(content && { ...content, x: event.clientX, y: event.clientY, point: found.point });
    options.onOver(found?.item ?? null);
  };
  view.addEventListener('pointermove', move);
  view.addEventListener('pointerdown', move);
  // A touch pointer leaves after each tap; its tooltip stays visible until the next tap.
  const leave = (event: unknown) => {
    options.onOver(null);
    if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') show(null);
  };
  view.addEventListener('pointerleave', leave);
  const pick = (event: unknown, under: unknown) => {
    if (!(event instanceof MouseEvent)) return;
    const found = itemAt(chart, event, under as SceneItem | null | undefined);
    const { ctrlKey, metaKey, shiftKey, clientX: x, clientY: y } = event;
    const intent = event.type === 'contextmenu' ? 'menu' : 'choose';
    const wasHandled = found && options.onPick(found.item, { intent, extend: ctrlKey || metaKey || shiftKey, x, y });
    if (!wasHandled) return;
    show(null);
    if (intent === 'menu') event.preventDefault();
  };
  view.addEventListener('click', pick);
  view.addEventListener('contextmenu', pick);
}

/** An item under the pointer. For lines and areas, `point` is the position of the data point, px of the screen. */
interface Found {
  readonly item: SceneItem;
  readonly point: ChartTooltip['point'];
}

function itemAt(chart: VegaChart, event: MouseEvent, under: SceneItem | null | undefined): Found | null {
  const { drawing } = chart;
  if (!drawing) return null;
  const { root, left, top } = chart.scene;
  const { box, scale } = placementOf(drawing);
  const [x, y] = [(event.clientX - box.left) / scale - left, (event.clientY - box.top) / scale - top];
  // Vega's hit test on a canvas does not account for CSS scaling.
  const isScaledCanvas = drawing instanceof HTMLCanvasElement && Math.abs(scale - 1) > 0.01;
  const item = isScaledCanvas ? itemUnder(root, x, y) : under;
  if (item?.mark && isData(item) && !isLine(item.mark.marktype)) return { item, point: null };
  const nearest = nearestPoint(root, x, y);
  if (!nearest) return null;
  const { across, along } = nearest;
  return { item: nearest.item, point: { x: event.clientX + across * scale, y: event.clientY + along * scale } };
}

/** True for items that represent data or have a tooltip. */
function isData({ mark, tooltip, datum }: SceneItem): boolean {
  return tooltip != null || (mark?.role === 'mark' && mark.marktype !== 'group' && datum !== undefined);
}

/**
 * Returns the position of a drawing on the screen and its scale. A drawing that was scaled down keeps its own
 * coordinates.
 */
export function placementOf(drawing: Element): { readonly box: DOMRect; readonly scale: number } {
  const box = drawing.getBoundingClientRect();
  const own = drawing instanceof HTMLCanvasElement ? drawing.style.width : drawing.getAttribute('width');
  const width = Number.parseFloat(own ?? '');
  return { box, scale: box.width > 0 && width > 0 ? box.width / width : 1 };
}
