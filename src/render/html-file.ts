import type { RenderContext } from './render-context.js';
import { element, writeSvg } from './svg.js';

/** Creates an HTML document around a drawing. It loads nothing. */
export function htmlFile({ locale, direction, colors, fonts }: RenderContext, title: string, svg: string): string {
  const head = element('head', {}, [
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width' }),
    element('title', {}, [fonts.drawable(title)]),
  ]);
  const style = `margin:0;background:${colors.page}`;
  const open = `<html lang="${locale}" dir="${direction}">${writeSvg(head)}<body style="${style}">`;
  return `<!doctype html>${open}${svg}</body></html>`;
}
