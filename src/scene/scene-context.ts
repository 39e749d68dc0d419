import type { DashboardTranslations } from '../elements/messages/translations.js';
import type { Formatter } from '../report/format/format.js';
import type { Direction } from '../report/format/locale.js';
import type { SceneColors } from './scene-colors.js';
import { element, round, type SvgElement } from './svg-element.js';
import { type FontWeight, isRightToLeft, startsFromRight, type TextFitter } from './text-fitter.js';

/** Context shared by all drawings of a file: language, fonts and colors. */
export interface SceneContext {
  readonly locale: string;
  readonly direction: Direction;
  readonly formatter: Formatter;
  readonly messages: DashboardTranslations;
  readonly fonts: TextFitter;
  readonly colors: SceneColors;
  /** Number of cells that tables of the file may still use, and maximum number of rows of a table. */
  readonly cells: { left: number; readonly maxRows: number };
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

/** Returns text with the isolates that make renderers draw it in its own direction. */
export function isolated(text: string, direction: Direction): string {
  if (!isRightToLeft(text)) return text;
  return direction === 'rtl' || startsFromRight(text) ? `${rightToLeftIsolate}${text}${endOfIsolate}` : text;
}

/** Creates a line of text. Coordinates are physical: `start` is the left end in every language. */
export function textLine({ fonts, direction }: SceneContext, text: string, options: TextOptions): SvgElement {
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
export function atStart({ direction }: SceneContext, x: number, width: number): Pick<TextOptions, 'x' | 'anchor'> {
  return direction === 'rtl' ? { x: x + width, anchor: 'end' } : { x, anchor: 'start' };
}

/** Returns the position of text at the end of a box. */
export function atEnd({ direction }: SceneContext, x: number, width: number): Pick<TextOptions, 'x' | 'anchor'> {
  return direction === 'rtl' ? { x, anchor: 'start' } : { x: x + width, anchor: 'end' };
}
