import { numberOf, type SvgAttributes, type SvgElement } from '../../../scene/svg-element.js';

/** The context of the canvas to paint on. */
type Canvas = OffscreenCanvasRenderingContext2D;

const anchors: Readonly<Record<string, CanvasTextAlign>> = { start: 'left', middle: 'center', end: 'right' };

/** Options for painting a drawing. */
export interface PaintOptions {
  /** Font family of the text. */
  readonly family: string;
  /** Images by the `href` of their `image` elements. */
  readonly images?: ReadonlyMap<string, CanvasImageSource>;
}

/** Paints a drawing of shapes, text and images. */
export function paintScene(canvas: Canvas, node: SvgElement, options: PaintOptions): void {
  const { tag, attributes, children } = node;
  canvas.save();
  transform(canvas, String(attributes.transform ?? ''));
  canvas.globalAlpha *= numberOf(attributes.opacity, 1);
  if (tag === 'g' || tag === 'a') {
    for (const child of children) if (typeof child !== 'string') paintScene(canvas, child, options);
  } else if (tag === 'text') paintText(canvas, node, options.family);
  else if (tag === 'image') paintImage(canvas, node, options);
  else paintShape(canvas, node);
  canvas.restore();
}

/** Applies `translate()` and `scale()`, in order. */
function transform(canvas: Canvas, value: string): void {
  for (const [, name, list = ''] of value.matchAll(/(translate|scale)\(([^)]*)\)/g)) {
    const [x = 0, y] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (name === 'scale') canvas.scale(x, y ?? x);
    else canvas.translate(x, y ?? 0);
  }
}

function paintImage(canvas: Canvas, { attributes }: SvgElement, { images }: PaintOptions): void {
  const image = images?.get(String(attributes.href));
  if (image) canvas.drawImage(image, 0, 0, numberOf(attributes.width, 0), numberOf(attributes.height, 0));
}

function paintText(canvas: Canvas, { attributes, children }: SvgElement, fontFamily: string): void {
  const size = numberOf(attributes['font-size'], 13);
  canvas.font = fontOf(size, numberOf(attributes['font-weight'], 400), fontFamily);
  // Positions are always left-to-right. Direction marks in the text set the direction of the text.
  canvas.direction = 'ltr';
  canvas.textAlign = anchors[String(attributes['text-anchor'] ?? 'start')] ?? 'left';
  canvas.fillStyle = String(attributes.fill ?? '#000');
  const text = children.filter(child => typeof child === 'string').join('');
  canvas.fillText(text, numberOf(attributes.x, 0), numberOf(attributes.y, 0));
}

/** Returns the value of `font` of a canvas. */
export function fontOf(size: number, weight: number, family: string): string {
  return `${weight} ${size}px ${family}`;
}

function paintShape(canvas: Canvas, { tag, attributes }: SvgElement): void {
  const path = outlineOf(tag, attributes);
  const alpha = canvas.globalAlpha;
  if (attributes.fill !== 'none') {
    canvas.globalAlpha = alpha * numberOf(attributes['fill-opacity'], 1);
    canvas.fillStyle = String(attributes.fill ?? '#000');
    canvas.fill(path);
  }
  if (attributes.stroke === undefined || attributes.stroke === 'none') return;
  canvas.globalAlpha = alpha * numberOf(attributes['stroke-opacity'], 1);
  canvas.strokeStyle = String(attributes.stroke);
  canvas.lineWidth = numberOf(attributes['stroke-width'], 1);
  canvas.lineJoin = attributes['stroke-linejoin'] === 'round' ? 'round' : 'miter';
  canvas.lineCap = attributes['stroke-linecap'] === 'round' ? 'round' : 'butt';
  canvas.stroke(path);
}

function outlineOf(tag: string, attributes: SvgAttributes): Path2D {
  const at = (name: string): number => numberOf(attributes[name], 0);
  if (tag === 'path') return new Path2D(String(attributes.d ?? ''));
  const path = new Path2D();
  if (tag === 'rect') path.roundRect(at('x'), at('y'), at('width'), at('height'), at('rx'));
  else if (tag === 'circle') path.arc(at('cx'), at('cy'), at('r'), 0, 2 * Math.PI);
  return path;
}
