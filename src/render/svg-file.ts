import { element, type SvgElement, type SvgNode } from '../scene/svg-element.js';
import { fontFamilyName } from './fonts.js';
import type { RenderContext } from './render-context.js';
import type { RenderSize } from './render-options.js';

/** Creates an SVG file with a title and the background of the page. */
export function svgFile(
  { colors, fonts, locale }: RenderContext,
  { width, height }: RenderSize,
  { title, nodes }: { readonly title: string; readonly nodes: readonly SvgNode[] },
): SvgElement {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      'font-family': `${fontFamilyName}, sans-serif`,
      'xml:lang': locale,
      // Text has physical coordinates, even on a right-to-left page.
      direction: 'ltr',
      role: 'img',
    },
    [element('title', {}, [fonts.drawable(title)]), element('rect', { width, height, fill: colors.page }), ...nodes],
  );
}
