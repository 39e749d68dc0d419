import { atEnd, atStart, textLine } from '../scene/scene-context.js';
import { element, groupAt, round, type SvgElement } from '../scene/svg-element.js';
import { isRightToLeft } from '../scene/text-fitter.js';
import type { PageContent } from './page-flow.js';
import type { RenderContext } from './render-context.js';
import type { RenderDashboardOptions } from './render-options.js';

/** Dimensions of the pages of a file. */
export interface PageLayout {
  /** Width of the content, px. */
  readonly width: number;
  /** Height of the content of a page, px; infinite for one page as tall as its content. */
  readonly height: number;
  /** Size of the paper, px; `null` for one page as tall as its content. */
  readonly paper: { readonly width: number; readonly height: number } | null;
  /** Margin on each side, px. */
  readonly margin: number;
  /** Points of a PDF per px. */
  readonly scale: number;
}

/** A drawn page. */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly SvgElement[];
}

/** Text around the tiles. */
export interface PageTexts {
  readonly title: string;
  readonly filters: readonly string[];
  readonly created: string;
}

/** Sizes of paper in points, portrait. */
const papers = { A4: [595.28, 841.89], Letter: [612, 792] } as const;
/** Width of the layout on paper, px: text has about 9 points. */
const paperWidths = { portrait: 780, landscape: 1_100 } as const;
const paperMargin = 34;
/** Height of header and footer, px. */
const headerHeight = 30;
const footerHeight = 30;
const tallMargin = 24;
const widths = { min: 320, max: 4_000, usual: 1_200 };
const pointsPerPx = 0.75;
const smallSize = 11;
const lineHeight = 16;

/** Returns the dimensions of the pages. */
export function layoutOf({
  output,
  page = 'A4',
  orientation = 'landscape',
  width,
}: RenderDashboardOptions): PageLayout {
  if (output !== 'pdf' || page === 'tall') {
    const whole = Math.max(widths.min, Math.min(widths.max, Math.round(width ?? widths.usual) || widths.usual));
    return {
      width: whole - 2 * tallMargin,
      height: Number.POSITIVE_INFINITY,
      paper: null,
      margin: tallMargin,
      scale: pointsPerPx,
    };
  }
  const [short, long] = papers[page];
  const [paperWidth, paperHeight] = orientation === 'portrait' ? [short, long] : [long, short];
  const layoutWidth = paperWidths[orientation];
  const scale = (paperWidth - 2 * paperMargin) / layoutWidth;
  const margin = paperMargin / scale;
  const paper = { width: paperWidth / scale, height: paperHeight / scale };
  return {
    width: layoutWidth,
    height: paper.height - 2 * margin - headerHeight - footerHeight,
    paper,
    margin,
    scale,
  };
}

/** Content of a known height. */
interface Block {
  readonly nodes: readonly SvgElement[];
  readonly height: number;
}

/** Joins parts that can have different directions. */
function joined(parts: readonly string[]): string {
  const isMixed = parts.some(isRightToLeft);
  return parts.map(part => (isMixed ? `\u2068${part}\u2069` : part)).join('  ·  ');
}

/** Draws the title and the control values. */
export function titleBlock(context: RenderContext, { title, filters }: PageTexts, width: number): Block {
  const { fonts, colors } = context;
  const place = atStart(context, 0, width);
  const style = { size: 24, weight: 600 } as const;
  const titles = fonts.wrap(fonts.drawable(title, 600), width, style, 3);
  const lines = fonts.wrap(fonts.drawable(joined(filters)), width, { size: 13 }, 8).filter(line => line !== '');
  const top = titles.length * 32;
  const filterLines = element(
    'g',
    { 'pdf:role': 'P' },
    lines.map((text, index) =>
      textLine(context, text, { ...place, y: top + 14 + index * 19, size: 13, fill: colors.muted }),
    ),
  );
  const nodes = [
    element(
      'g',
      { 'pdf:role': 'H1' },
      titles.map((text, index) =>
        textLine(context, text, { ...place, ...style, y: 24 + index * 32, fill: colors.text }),
      ),
    ),
    ...(lines.length === 0 ? [] : [filterLines]),
  ];
  return { nodes, height: top + lines.length * 19 + 14 };
}

/** Draws notes about the whole file. */
export function notesBlock(context: RenderContext, notes: readonly string[], width: number): Block {
  const { fonts, colors } = context;
  const lines = notes.flatMap(note => fonts.wrap(fonts.drawable(note), width, { size: smallSize }, 4));
  const place = atStart(context, 0, width);
  const nodes = lines.map((text, index) =>
    textLine(context, text, { ...place, y: 24 + index * lineHeight, size: smallSize, fill: colors.muted }),
  );
  return {
    nodes: [element('g', { 'pdf:role': 'P' }, nodes)],
    height: lines.length === 0 ? 0 : 20 + lines.length * lineHeight,
  };
}

/** Draws the pages with header and footer. */
export function drawPages(
  context: RenderContext,
  contents: readonly PageContent[],
  { layout, texts }: { readonly layout: PageLayout; readonly texts: PageTexts },
): DrawnPage[] {
  const { paper, margin, width } = layout;
  return contents.map((content, index) => {
    if (!paper) {
      const height = Math.ceil(content.height + 2 * margin + footerHeight);
      const footer = smallLine(context, texts.created, { x: margin, y: height - margin, width, side: 'start' });
      return { width: width + 2 * margin, height, nodes: [groupAt(margin, margin, content.nodes), footer] };
    }
    const nodes = [
      ...(index === 0 ? [] : [header(context, texts, layout)]),
      groupAt(margin, margin + headerHeight, content.nodes),
      footer(context, texts, { layout, page: index + 1, pages: contents.length, height: paper.height }),
    ];
    return { ...paper, nodes };
  });
}

interface LineOptions {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly side: 'start' | 'end';
}

/** Draws a line of a header or footer, which is not part of the content. */
function smallLine(context: RenderContext, text: string, { x, y, width, side }: LineOptions): SvgElement {
  const { fonts, colors } = context;
  const place = side === 'start' ? atStart(context, x, width) : atEnd(context, x, width);
  const line = fonts.truncate(fonts.drawable(text), width, { size: smallSize });
  return element('g', { 'pdf:role': 'Artifact' }, [
    textLine(context, line, { ...place, y: round(y), size: smallSize, fill: colors.muted }),
  ]);
}

function header(context: RenderContext, { title, filters }: PageTexts, { margin, width }: PageLayout): SvgElement {
  const text = joined([title, ...filters]);
  return smallLine(context, text, { x: margin, y: margin + smallSize, width, side: 'start' });
}

interface FooterOptions {
  readonly layout: PageLayout;
  readonly page: number;
  readonly pages: number;
  readonly height: number;
}

function footer(
  context: RenderContext,
  { created }: PageTexts,
  { layout: { margin, width }, page, pages, height }: FooterOptions,
): SvgElement {
  const { locale, messages } = context;
  const count = (value: number) => new Intl.NumberFormat(locale).format(value);
  const y = height - margin - 4;
  const isMirrored = context.direction === 'rtl';
  const number = messages.print.page(count(page), count(pages));
  return element('g', {}, [
    smallLine(context, created, {
      x: isMirrored ? margin + width * 0.3 : margin,
      y,
      width: width * 0.7,
      side: 'start',
    }),
    smallLine(context, number, { x: isMirrored ? margin : margin + width * 0.7, y, width: width * 0.3, side: 'end' }),
  ]);
}
