import type { PageContent } from '../scene/page-flow.js';
import { joinedTexts, type PageTexts } from '../scene/page-texts.js';
import { atEnd, atStart, textLine } from '../scene/scene-context.js';
import { element, groupAt, round, type SvgElement } from '../scene/svg-element.js';
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
export interface RenderedPage {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly SvgElement[];
}

/** Sizes of paper in points, portrait. */
const papers = { A4: [595.28, 841.89], Letter: [612, 792] } as const;
/** Width of the layout on paper, px. It results in text of about 9 points. */
const paperWidths = { portrait: 780, landscape: 1_100 } as const;
const paperMargin = 34;
/** Height of header and footer, px. */
const headerHeight = 30;
const footerHeight = 30;
const tallMargin = 24;
const widths = { min: 320, max: 4_000, usual: 1_200 };
const pointsPerPx = 0.75;
const smallSize = 11;

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

/** Draws the pages with header and footer. */
export function drawPages(
  context: RenderContext,
  contents: readonly PageContent[],
  { layout, texts }: { readonly layout: PageLayout; readonly texts: PageTexts },
): RenderedPage[] {
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
  const text = joinedTexts([title, ...filters]);
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
