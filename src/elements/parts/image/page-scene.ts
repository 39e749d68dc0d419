import { createFormatter } from '../../../report/format/format.js';
import { localeDirections } from '../../../report/format/locale.js';
import { palette, seriesColors } from '../../../report/theme/palette.js';
import { hexOf, type SceneColors } from '../../../scene/scene-colors.js';
import type { SceneContext } from '../../../scene/scene-context.js';
import { type FontWeight, plainText, TextFitter, type TextStyle } from '../../../scene/text-fitter.js';
import { loadDashboardMessages } from '../../messages/load-translations.js';
import { fontOf } from './paint-scene.js';

/** Maximum number of rows of a table, and of cells of all tables in an image. */
const cells = { tile: { maxRows: 300, left: 6_000 }, dashboard: { maxRows: 300, left: 30_000 } } as const;

/** Measures text with the font of the page. */
class PageFonts extends TextFitter {
  readonly family: string;
  readonly #canvas = canvasOf(1, 1);

  constructor(family: string) {
    super();
    this.family = family;
  }

  override width(text: string, { size, weight = 400 }: TextStyle): number {
    this.#canvas.font = fontOf(size, weight, this.family);
    return this.#canvas.measureText(text).width;
  }

  override drawable(text: string, _weight?: FontWeight): string {
    return plainText(text);
  }
}

/** Creates a canvas. @throws TypeError if the browser has none. */
export function canvasOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: width * height === 1 });
  if (!canvas) throw new TypeError('The browser cannot draw on a canvas.');
  return canvas;
}

/** Context shared by the drawings of a page, with the font of the page. */
export interface PageScene extends SceneContext {
  readonly fonts: PageFonts;
}

/** What an image shows: a tile without its border, or a dashboard with its background and bordered tiles. */
type ImageSubject = 'tile' | 'dashboard';

/** Reads the language, the colors and the font of an image. `frame` is an element that inherits its theme. */
export async function pageScene(frame: HTMLElement, locale: string, of: ImageSubject = 'tile'): Promise<PageScene> {
  const messages = await loadDashboardMessages(locale);
  return {
    locale,
    direction: localeDirections(locale).text,
    formatter: createFormatter(locale),
    messages,
    fonts: new PageFonts(getComputedStyle(frame).fontFamily),
    colors: readColors(frame, of),
    cells: { ...cells[of] },
  };
}

type ColorName = Exclude<keyof SceneColors, 'scheme' | 'series' | 'radius' | 'padding' | 'borderWidth' | 'titleSize'>;

/** Custom properties of the colors of a tile. */
const properties: Readonly<Record<ColorName, string>> = {
  page: 'surface',
  surface: 'surface',
  text: 'text',
  muted: 'muted',
  line: 'line',
  accent: 'accent',
  danger: 'danger',
  success: 'success',
  warn: 'warn',
  border: 'line',
  title: 'title-color',
};
/** Custom properties that differ in the image of a dashboard. */
const boardProperties = { ...properties, page: 'background', border: 'tile-border-color' };

/** Reads the theme of an element. The browser resolves each token on a probe element. */
function readColors(frame: HTMLElement, of: ImageSubject): SceneColors {
  const probe = document.createElement('i');
  probe.hidden = true;
  frame.append(probe);
  try {
    const style = getComputedStyle(probe);
    const canvas = canvasOf(1, 1);
    const resolved = (css: string): string => {
      probe.style.color = css;
      return style.color;
    };
    const scheme = opaqueColor(canvas, resolved('light-dark(#fff, #000)')) === '#ffffff' ? 'light' : 'dark';
    // The image is opaque, even if tiles of the page are transparent.
    const surface = opaqueColor(canvas, palette.surface[scheme], resolved('var(--_surface)'));
    const color = (name: string): string => opaqueColor(canvas, surface, resolved(`var(--_${name})`));
    const length = (name: string, fallback: number): number => {
      const value = Number.parseFloat(style.getPropertyValue(`--_${name}`));
      return Number.isFinite(value) ? value : fallback;
    };
    const hasBorder = of === 'dashboard' && style.getPropertyValue('--_tile-border-style').trim() !== 'none';
    const names = Object.entries(of === 'tile' ? properties : boardProperties) as [ColorName, string][];
    const colors = Object.fromEntries(names.map(([name, token]) => [name, color(token)]));
    return {
      ...(colors as Record<ColorName, string>),
      scheme,
      series: seriesColors.map((_, index) => color(`series-${index + 1}`)),
      radius: of === 'dashboard' ? Math.min(40, length('radius', 10)) : 0,
      padding: length('padding', 16),
      borderWidth: hasBorder ? Math.min(8, length('tile-border-width', 1)) : 0,
      titleSize: length('title-size', 14),
    };
  } finally {
    probe.remove();
  }
}

/** Paints colors over each other, and returns the result in hexadecimal notation. */
function opaqueColor(canvas: OffscreenCanvasRenderingContext2D, ...colors: readonly string[]): string {
  for (const color of colors) {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return hexOf([red, green, blue]);
}
