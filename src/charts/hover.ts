import type { View } from 'vega';
import { isLine, nearestPoint, type SceneItem, sceneRoot } from './scene.js';
import { type ChartTooltip, tooltipContent } from './tooltip.js';

/**
 * Tells what is under the pointer: the mark it is on, else the nearest point of a line or an area. The listeners are the view's
 * own and go with it.
 */
export function watchPointer(
  view: View,
  svg: SVGSVGElement,
  readable: (title: string) => string,
  onTooltip: (tooltip: ChartTooltip | null) => void,
): void {
  let shown = false;
  const show = (tooltip: ChartTooltip | null) => {
    if (tooltip || shown) onTooltip(tooltip);
    shown = tooltip !== null;
  };
  const itemAt = (event: MouseEvent, under: SceneItem | null | undefined): SceneItem | null => {
    if (under?.tooltip != null && !isLine(under.mark?.marktype)) return under;
    const box = svg.getBoundingClientRect();
    // An SVG that was made smaller to fit keeps its own coordinates.
    const scale = box.width > 0 ? Number(svg.getAttribute('width')) / box.width : 1;
    const [left = 0, top = 0] = view.origin();
    const [x, y] = [(event.clientX - box.left) * scale - left, (event.clientY - box.top) * scale - top];
    return nearestPoint(sceneRoot(view.scenegraph()), x, y);
  };
  const move = (event: unknown, under: unknown) => {
    if (!(event instanceof MouseEvent)) return;
    const item = itemAt(event, under as SceneItem | null | undefined);
    const content = item && tooltipContent(item, readable);
    show(content && { ...content, x: event.clientX, y: event.clientY });
  };
  view.addEventListener('pointermove', move);
  view.addEventListener('pointerdown', move);
  // A finger leaves with every tap; what it asked for stays until the next.
  view.addEventListener('pointerleave', event => {
    if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') show(null);
  });
}
