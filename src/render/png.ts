import type { ResvgRenderOptions } from '@resvg/resvg-js';
import type { SvgElement } from '../scene/svg-element.js';
import { withFamilies } from './font-runs.js';
import { type Fonts, fontFamilyName } from './fonts.js';
import { loadPackage } from './missing-package.js';
import type { ColorReader } from './render-colors.js';
import { writeSvg } from './svg.js';

/** Maximum number of pixels of a PNG. */
const maxPixels = 24_000_000;
/** Maximum number of cached colors of a file. */
const maxCachedColors = 1_000;
/** Maximum width and height of a PNG. */
const maxSide = 32_000;

const loadResvg = () => loadPackage(() => import('@resvg/resvg-js'));

/** Returns the scale that keeps a drawing within the limits of a PNG. */
export function boundedScale(width: number, height: number, scale: number): number {
  const clamped = Math.max(0.1, Math.min(4, scale));
  return Math.min(clamped, Math.sqrt(maxPixels / (width * height)), maxSide / width, maxSide / height);
}

/** Draws an SVG file as PNG with the fonts that it needs. */
export async function renderPng(file: SvgElement, fonts: Fonts, scale: number): Promise<Uint8Array> {
  const { renderAsync } = await loadResvg();
  const image = await renderAsync(writeSvg(withFamilies(fonts, file)), {
    ...optionsOf(fonts),
    fitTo: { mode: 'zoom', value: scale },
  });
  return image.asPng();
}

function optionsOf(fonts: Fonts): ResvgRenderOptions {
  return {
    font: { fontFiles: [...fonts.files], loadSystemFonts: false, defaultFontFamily: fontFamilyName },
    logLevel: 'off',
  };
}

/** Returns a function that resolves CSS colors by drawing them. */
export async function openColorReader(): Promise<ColorReader> {
  const { Resvg } = await loadResvg();
  const cached = new Map<string, ReturnType<ColorReader>>();
  const read: ColorReader = css => {
    if (!/^[#a-z][\w\s.,%/()+-]{2,90}$/i.test(css)) return null;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="${css}"/></svg>`;
    const [red = 0, green = 0, blue = 0, alpha = 0] = new Resvg(svg, { logLevel: 'off' }).render().pixels;
    return alpha === 255 ? [red, green, blue] : null;
  };
  return css => {
    const color = cached.get(css);
    if (color !== undefined) return color;
    const found = read(css);
    if (cached.size < maxCachedColors) cached.set(css, found);
    return found;
  };
}

/** Converts the strings of an SVG file to outlines. */
export async function outlineSvg(file: SvgElement, fonts: Fonts): Promise<string> {
  const { Resvg } = await loadResvg();
  return new Resvg(writeSvg(withFamilies(fonts, file)), optionsOf(fonts)).toString();
}
