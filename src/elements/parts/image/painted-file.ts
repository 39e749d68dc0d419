import type { SvgElement } from '../../../scene/svg-element.js';
import type { SceneSize } from '../../../scene/tile-body.js';
import { canvasOf } from './page-scene.js';
import { type PaintOptions, paintScene } from './paint-scene.js';

/** Limits of browsers for a canvas. */
const maxSide = 16_000;
const maxPixels = 24_000_000;

/**
 * Returns the device pixels per CSS pixel of an image: 2, or fewer if the canvas would exceed the limits of browsers.
 */
export function imageScale({ width, height }: SceneSize): number {
  return Math.min(2, maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)));
}

/** Paints a drawing as a PNG file. */
export function paintedFile(node: SvgElement, size: SceneSize, options: PaintOptions): Promise<Blob> {
  const scale = imageScale(size);
  const canvas = canvasOf(Math.floor(size.width * scale), Math.floor(size.height * scale));
  canvas.scale(scale, scale);
  paintScene(canvas, node, options);
  return canvas.canvas.convertToBlob({ type: 'image/png' });
}
