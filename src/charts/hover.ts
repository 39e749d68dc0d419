import type { View } from 'vega';
import type { Pick } from '../report/marks/mark.js';
import { type ChartTooltip, tooltipContent } from './interaction/tooltip.js';
import { isLine, itemUnder, nearestPoint, type SceneItem } from './scene.js';
import type { VegaChart } from './vega-chart.js';

/** What a chart tells of the pointer over it. */
export interface PointerOptions {
  /** Puts titles of columns where a specification names fields. */
  readonly readable: (title: string) => string;
  readonly onTooltip: (tooltip: ChartTooltip | null) => void;
  /** Called with the mark under the pointer, and with null when there is none any more. */
  readonly onOver: (item: SceneItem | null) => void;
  /** Called when a mark is clicked or its menu is asked for. True where that did something. */
  readonly onPick: (item: SceneItem, how: PickedBy) => boolean;
}

/** How a mark was picked: with which intent, and where on the screen. */
export type PickedBy = Omit<Pick, 'mark' | 'anchor'> & { readonly x: number; readonly y: number };

/**
 * Tells what is under the pointer: the mark it is on, else the nearest point of a line or an area. The listeners are the view's
 * own and go with it.
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
  // A finger leaves with every tap; what it asked for stays until the next.
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
    const did = found && options.onPick(found.item, { intent, extend: ctrlKey || metaKey || shiftKey, x, y });
    if (!did) return;
    show(null);
    if (intent === 'menu') event.preventDefault();
  };
  view.addEventListener('click', pick);
  view.addEventListener('contextmenu', pick);
}

/** An item under the pointer; of a line or an area also where its point is, px of the screen. */
interface Found {
  readonly item: SceneItem;
  readonly point: ChartTooltip['point'];
}

function itemAt(chart: VegaChart, event: MouseEvent, under: SceneItem | null | undefined): Found | null {
  const { drawing } = chart;
  if (!drawing) return null;
  const { root, left, top } = chart.scene;
  const { box, scale } = placeOf(drawing);
  const [x, y] = [(event.clientX - box.left) / scale - left, (event.clientY - box.top) / scale - top];
  // Vega looks for marks on a canvas as if it had its own size.
  const isScaledCanvas = drawing instanceof HTMLCanvasElement && Math.abs(scale - 1) > 0.01;
  const item = isScaledCanvas ? itemUnder(root, x, y) : under;
  if (item?.mark && isData(item) && !isLine(item.mark.marktype)) return { item, point: null };
  const nearest = nearestPoint(root, x, y);
  if (!nearest) return null;
  const { across, along } = nearest;
  return { item: nearest.item, point: { x: event.clientX + across * scale, y: event.clientY + along * scale } };
}

/** An item that stands for data, or that its specification says something about. */
function isData({ mark, tooltip, datum }: SceneItem): boolean {
  return tooltip != null || (mark?.role === 'mark' && mark.marktype !== 'group' && datum !== undefined);
}

/** Where a drawing stands on the screen. One that was made smaller to fit keeps its own coordinates. */
export function placeOf(drawing: Element): { readonly box: DOMRect; readonly scale: number } {
  const box = drawing.getBoundingClientRect();
  const own = drawing instanceof HTMLCanvasElement ? drawing.style.width : drawing.getAttribute('width');
  const width = Number.parseFloat(own ?? '');
  return { box, scale: box.width > 0 && width > 0 ? box.width / width : 1 };
}
