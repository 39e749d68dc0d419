import { type ChartTheme, measureChartTexts } from '../charts/view.js';
import type { Dashboard } from '../contract/dashboards.js';
import { loadDashboardMessages } from '../elements/messages/load-translations.js';
import type { DashboardTranslations } from '../elements/messages/translations.js';
import { createFormatter, type Formatter } from '../report/format/format.js';
import { type Direction, localeDirections, supportedLocale } from '../report/format/locale.js';
import { type Fonts, type FontWeight, fontFamilyName, isRightToLeft, openFonts, startsFromRight } from './fonts.js';
import { openColorReader } from './png.js';
import { type ColorReader, type RenderColors, renderColors } from './render-colors.js';
import type { RenderTheme } from './render-options.js';
import { element, round, type SvgElement } from './svg.js';

/** State shared by all parts of a file. */
export interface RenderContext {
  readonly locale: string;
  readonly direction: Direction;
  readonly formatter: Formatter;
  readonly messages: DashboardTranslations;
  readonly fonts: Fonts;
  readonly colors: RenderColors;
  readonly chartTheme: ChartTheme;
  /** Resolves CSS colors. */
  readonly readColor: ColorReader;
  readonly signal: AbortSignal;
  /** Number of cells that tables of the file may still use. */
  readonly cells: { left: number };
}

/** Maximum number of cells of all tables of a file. */
const maxCells = 150_000;

/** Options of `createRenderContext`. */
interface ContextOptions {
  readonly locale: string | undefined;
  readonly theme: RenderTheme | undefined;
  readonly dashboardTheme: Dashboard['config']['theme'];
  readonly signal: AbortSignal;
}

/** Loads what all parts of a file share: fonts, messages and colors. */
export async function createRenderContext(options: ContextOptions): Promise<RenderContext> {
  const locale = supportedLocale(options.locale ?? 'en') ?? 'en';
  const [fonts, messages, readColor] = await Promise.all([
    openFonts(),
    loadDashboardMessages(locale),
    openColorReader(),
  ]);
  await measureChartTexts((text, { size, isBold }) => fonts.width(text, { size, weight: isBold ? 600 : 400 }));
  const colors = renderColors(options.theme ?? {}, options.dashboardTheme, readColor);
  const { text, muted, line, surface, series } = colors;
  return {
    locale,
    direction: localeDirections(locale).text,
    formatter: createFormatter(locale),
    messages,
    fonts,
    colors,
    chartTheme: { text, muted, line, surface, series, font: fontFamilyName },
    readColor,
    signal: options.signal,
    cells: { left: maxCells },
  };
}

/** Style and position of a line of text. */
export interface TextOptions {
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  readonly size: number;
  readonly weight?: FontWeight;
  readonly fill: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Target of a link. */
  readonly href?: string | null;
}

/** Isolates right-to-left text, because the PNG renderer ignores `direction`. */
const [rightToLeftIsolate, endOfIsolate] = ['\u2067', '\u2069'];

/** Returns text with the marks that draw it in its own direction. */
export function isolated(text: string, direction: Direction): string {
  if (!isRightToLeft(text)) return text;
  return direction === 'rtl' || startsFromRight(text) ? `${rightToLeftIsolate}${text}${endOfIsolate}` : text;
}

/** Creates a line of text. Coordinates are physical: `start` is the left end in every language. */
export function textLine({ fonts, direction }: RenderContext, text: string, options: TextOptions): SvgElement {
  const { x, y, size, weight = 400, fill, anchor = 'start', href } = options;
  const line = element(
    'text',
    {
      x: round(x),
      y: round(y),
      'font-size': size,
      'font-weight': weight === 400 ? undefined : weight,
      fill,
      'text-anchor': anchor === 'start' ? undefined : anchor,
    },
    [isolated(fonts.drawable(text, weight), direction)],
  );
  return href ? element('a', { href }, [line]) : line;
}

/** Returns the position of text at the start of a box: left, or right in a right-to-left language. */
export function atStart({ direction }: RenderContext, x: number, width: number): Pick<TextOptions, 'x' | 'anchor'> {
  return direction === 'rtl' ? { x: x + width, anchor: 'end' } : { x, anchor: 'start' };
}

/** Returns the position of text at the end of a box. */
export function atEnd({ direction }: RenderContext, x: number, width: number): Pick<TextOptions, 'x' | 'anchor'> {
  return direction === 'rtl' ? { x, anchor: 'start' } : { x: x + width, anchor: 'end' };
}
