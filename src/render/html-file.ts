import type { BandItem } from '../scene/bands.js';
import type { FileParts } from '../scene/dashboard-parts.js';
import { mixColors } from '../scene/scene-colors.js';
import { element, type SvgElement, type SvgNode } from '../scene/svg-element.js';
import { plainText } from '../scene/text-fitter.js';
import type { Tile } from '../scene/tile.js';
import { fontFamilyName } from './fonts.js';
import type { RenderContext } from './render-context.js';
import { writeHtml } from './svg.js';

/** Width of the content, px; narrow enough for a mail. */
const width = 680;
const heights = { min: 60, max: 480 };

/**
 * Creates an HTML document with one section per tile, stacked vertically: tables and text as HTML, charts as SVG. It
 * loads nothing and has no scripts.
 */
export async function htmlFile(context: RenderContext, input: FileParts): Promise<string> {
  const { locale, direction } = context;
  const { texts, bands } = input;
  const sections: SvgElement[] = [];
  for (const item of bands.flatMap(({ items }) => items)) {
    context.signal.throwIfAborted();
    sections.push(...(await drawItem(item, input)));
  }
  const lines = (list: readonly string[]): SvgElement[] =>
    list.map(line => element('p', { class: 'muted', dir: 'auto' }, [plainText(line)]));
  const body = [
    element('h1', { dir: 'auto' }, [plainText(texts.title)]),
    ...lines(texts.filters),
    ...sections,
    ...lines([...input.notes(), texts.created]),
  ];
  const head = element('head', {}, [
    element('meta', { charset: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width' }),
    element('title', {}, [plainText(texts.title)]),
    element('style', {}, [styles(context)]),
  ]);
  const html = element('html', { lang: locale, dir: direction }, [
    head,
    element('body', {}, [element('main', {}, body)]),
  ]);
  return `<!doctype html>${writeHtml(html)}`;
}

function styles({ colors }: RenderContext): string {
  return [
    `body{margin:0;background:${colors.page};color:${colors.text};font:14px/1.5 ${fontFamilyName},system-ui,sans-serif}`,
    `main{max-width:${width}px;margin:0 auto;padding:16px}`,
    'h1{font-size:22px;margin:0 0 4px}',
    'h2{font-size:16px;margin:24px 0 8px}',
    'h3{font-size:15px;margin:0 0 8px}',
    `section{margin:16px 0;padding:16px;border:1px solid ${colors.border};border-radius:${colors.radius}px;background:${colors.surface}}`,
    'svg{display:block;max-width:100%;height:auto}',
    'h1,h2,h3,p{text-align:-webkit-match-parent;text-align:match-parent}',
    '.wide{overflow-x:auto}',
    'table{border-collapse:collapse;width:100%;font-size:13px}',
    `th,td{padding:4px 8px;border-bottom:1px solid ${colors.line};text-align:start;vertical-align:top}`,
    `thead th,.muted{color:${colors.muted}}`,
    '.muted{font-size:12px;margin:4px 0}',
    `.total{font-weight:600;background:${mixColors(colors.text, 0.04, colors.surface)}}`,
    `a{color:${colors.accent}}`,
  ].join('');
}

async function drawItem(item: BandItem, { tileOf, onTile }: FileParts): Promise<SvgElement[]> {
  if (item.type === 'heading') return [element('h2', { dir: 'auto' }, [plainText(item.text)])];
  if (item.type === 'divider') return [element('hr', {})];
  const tile = tileOf(item.node.key);
  if (!tile) return [];
  const { content, notes } = await drawBody(tile, { item, onTile });
  const heading = tile.title === '' ? [] : [element('h3', { dir: 'auto' }, [plainText(tile.title)])];
  const lines = notes.map(note => element('p', { class: 'muted', dir: 'auto' }, [plainText(note)]));
  const parts = [...heading, ...content, ...lines];
  return [tile.isFramed ? element('section', {}, parts) : element('div', {}, parts)];
}

async function drawBody(
  tile: Tile,
  { item, onTile }: { readonly item: BandItem; readonly onTile: FileParts['onTile'] },
): Promise<{ readonly content: readonly SvgNode[]; readonly notes: readonly string[] }> {
  const { body } = tile;
  if (body.type === 'flow') {
    onTile(tile, tile.failure);
    return { content: body.html(), notes: [...tile.notes, ...body.notes] };
  }
  const size = { width: width - 64, height: Math.max(heights.min, Math.min(heights.max, item.box.height - 64)) };
  const drawing = await body.draw(size);
  const failure = drawing.failure ?? tile.failure;
  onTile(tile, failure);
  if (failure !== null) return { content: [element('p', {}, [failure])], notes: tile.notes };
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      'aria-label': [tile.label ?? tile.title, drawing.description].filter(Boolean).join('. '),
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      'font-family': `${fontFamilyName}, sans-serif`,
      // Text has physical coordinates, even on a right-to-left page.
      direction: 'ltr',
    },
    [drawing.node],
  );
  return { content: [svg], notes: [...tile.notes, ...drawing.notes] };
}
