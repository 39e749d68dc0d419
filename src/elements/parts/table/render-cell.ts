import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Cell } from '../../../contract/data.js';
import { compareByOrder } from '../../../report/format/compare.js';
import { toNumber } from '../../../report/format/numeric-value.js';
import { safeHref } from '../../../report/format/safe-href.js';
import type { ColumnRange, TableCell, TableColumn } from '../../../report/table/table.js';
import type { CellFormat, ColumnLook } from '../../../report/table/table-look.js';
import type { TableMessages } from './table-messages.js';

/** Tone set by a conditional format. */
type Tone = CellFormat['tone'];

/** Returns the tone of a value, from the first matching format. */
export function toneOf(formats: readonly CellFormat[], value: Cell): Tone | null {
  return formats.find(format => holds(format, value))?.tone ?? null;
}

/** Number of steps of a color scale on each side of zero. */
export const scaleSteps = 8;

/**
 * Returns the class of a value on a color scale: `heat-0` to `heat-8`, and `cold-1` to `cold-8` below zero on a
 * diverging scale.
 */
export function heatOf(scale: ColumnLook['scale'], value: Cell, range: ColumnRange | null): string | null {
  const figure = toNumber(value);
  if (scale === null || figure === null || range === null) return null;
  const { least, most } = range;
  if (scale === 'sequential') return `heat-${stepOf(figure - least, most - least)}`;
  const step = stepOf(Math.abs(figure), Math.max(Math.abs(least), Math.abs(most)));
  return `${figure < 0 && step > 0 ? 'cold' : 'heat'}-${step}`;
}

/** Position of a bar in its cell, as shares of the available width. Negative bars extend to the other side of zero. */
interface CellBar {
  readonly from: number;
  readonly length: number;
  readonly isNegative: boolean;
}

/** Returns the bar of a value relative to the range of its column; `null` if there is no bar to render. */
export function barOf(value: Cell, range: ColumnRange | null): CellBar | null {
  const figure = toNumber(value);
  if (figure === null || range === null) return null;
  const low = Math.min(0, range.least);
  const span = Math.max(0, range.most) - low;
  if (!(span > 0 && Number.isFinite(span))) return null;
  const length = Math.min(1, Math.abs(figure) / span);
  return { from: Math.max(0, (Math.min(0, figure) - low) / span), length, isNegative: figure < 0 };
}

const maxTextLength = 10_000;
const maxPoints = 200;

/** Parses the figures of a sparkline from a JSON array or comma-separated text. Downsamples long lists. */
export function lineOf(value: Cell): number[] {
  if (typeof value !== 'string' || value.length > maxTextLength) return [];
  const text = value.trim();
  const items = text.startsWith('[') ? parsedList(text) : text.split(',').map(item => item.trim());
  const figures = items.flatMap(item => (isCell(item) ? (toNumber(item) ?? []) : []));
  const step = Math.ceil(figures.length / maxPoints);
  return step > 1 ? figures.filter((_, index) => index % step === 0) : figures;
}

/** Returns the path of a sparkline in a 100 by 20 box. */
export function linePath(figures: readonly number[]): string {
  if (figures.length < 2) return '';
  const least = Math.min(...figures);
  const height = Math.max(...figures) - least;
  return figures
    .map((figure, index) => {
      const x = (100 * index) / (figures.length - 1);
      const y = height > 0 ? 18 - 16 * ((figure - least) / height) : 10;
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

function stepOf(part: number, whole: number): number {
  const step = Math.round((part / whole) * scaleSteps);
  return Number.isFinite(step) ? Math.max(0, Math.min(step, scaleSteps)) : 0;
}

function parsedList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    // The text is not a JSON array.
    return [];
  }
}

function isCell(item: unknown): item is Cell {
  return typeof item === 'string' || typeof item === 'number';
}

function holds({ operator, values }: CellFormat, value: Cell): boolean {
  if (operator === 'is_null') return value === null;
  if (value === null) return false;
  const [low = '', high = ''] = values;
  switch (operator) {
    case 'equals':
      return values.some(wanted => isSame(wanted, value));
    case 'not_equals':
      return !values.some(wanted => isSame(wanted, value));
    case 'contains':
      return values.some(wanted => String(value).toLowerCase().includes(String(wanted).toLowerCase()));
    case 'greater_than':
      return compareCells(value, low) > 0;
    case 'less_than':
      return compareCells(value, low) < 0;
    case 'between':
      return compareCells(value, low) >= 0 && compareCells(value, high) <= 0;
  }
}

function isSame(wanted: Cell, value: Cell): boolean {
  return String(wanted) === String(value) || compareCells(value, wanted) === 0;
}

/**
 * Compares figures by value and strings alphabetically, which also orders dates. Returns NaN if only one of the values
 * is a figure.
 */
function compareCells(left: Cell, right: Cell): number {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a !== null && b !== null) return Math.sign(a - b);
  if (a !== null || b !== null) return Number.NaN;
  return compareByOrder(String(left), String(right));
}

/** Context for rendering cells. */
export interface CellContext {
  readonly messages: TableMessages;
  /** Origins that images may load from; images from other origins are shown as text. */
  readonly imageOrigins: readonly string[];
  /** Whether the surrounding page is right-to-left. */
  readonly fromRight: boolean;
  readonly range: (column: number) => ColumnRange | null;
  readonly count: (value: number) => string;
}

/** Renders the content of a body cell. */
export function renderCell(cell: TableCell, column: TableColumn, index: number, context: CellContext): unknown {
  const content = renderContent(cell, column, index, context);
  if (typeof content !== 'string') return content;
  if (column.align !== 'start') return isolateFigure(content, context);
  const hasDirection = mayTurn(content, context) || needsIsolation(content, context);
  return hasDirection ? html`<span class="words" dir="auto">${content}</span>` : content;
}

/** Returns whether a right-to-left page would move a sign, or reverse the parts of a date or time. */
function needsIsolation(text: string, { fromRight }: CellContext): boolean {
  return fromRight && /[-\u2212+:/]/.test(text);
}

/** Renders a figure left-to-right on every page. */
function isolateFigure(text: string, context: CellContext): unknown {
  return needsIsolation(text, context) ? html`<bdi dir="ltr">${text}</bdi>` : text;
}

/** Whether text may have another direction than the page. Most text does not, and needs no wrapper element. */
function mayTurn(text: string, { fromRight }: CellContext): boolean {
  return fromRight
    ? /\p{L}/u.test(text)
    : /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802-\ud83b][\udc00-\udfff]/.test(text);
}

function renderContent(cell: TableCell, column: TableColumn, index: number, context: CellContext): unknown {
  const { display } = column.look;
  if (cell.kind === 'header') return cell.repeats ? html`<span class="repeats">${cell.text}</span>` : cell.text;
  switch (display) {
    case 'link':
      return renderLink(cell);
    case 'image':
      return renderImage(cell, column, context);
    case 'bar':
      return cell.kind === 'figure' ? renderBar(cell, index, context) : cell.text;
    case 'sparkline':
      return renderLine(cell, context);
    case 'text':
      return renderText(cell, column, context);
  }
}

/** Returns the tone that a conditional format sets for a cell; `null` if none. */
export function cellTone(cell: TableCell, { look }: TableColumn): Tone | null {
  return look.formats.length > 0 && cell.kind !== 'total' && cell.kind !== 'header'
    ? toneOf(look.formats, cell.value)
    : null;
}

/** Returns the link of a cell if it has a safe one. Links to other origins open in a new tab. */
export function cellLink({ address }: TableCell): { readonly href: string; readonly isOutside: boolean } | null {
  const href = address === null ? null : safeHref(address);
  if (href === null || !URL.canParse(href, document.baseURI)) return null;
  const { origin, protocol } = new URL(href, document.baseURI);
  return { href, isOutside: protocol !== 'mailto:' && origin !== location.origin };
}

function renderText(cell: TableCell, column: TableColumn, context: CellContext): unknown {
  const tone = cellTone(cell, column);
  if (tone === null || tone === 'muted') return cell.text;
  return html`${isolateFigure(cell.text, context)}<span class="unseen">, ${context.messages.tones[tone]}</span>`;
}

function renderLink(cell: TableCell): unknown {
  const link = cell.kind === 'total' ? null : cellLink(cell);
  if (!link) return cell.text;
  return html`<a
    part="cell-link"
    dir="auto"
    href=${link.href}
    target=${link.isOutside ? '_blank' : nothing}
    rel="noopener noreferrer nofollow"
    tabindex="-1"
    >${cell.text}</a
  >`;
}

function renderImage(cell: TableCell, { title, look }: TableColumn, { imageOrigins }: CellContext): unknown {
  const { address, text } = cell;
  const base = document.baseURI;
  const isAllowed =
    address !== null && URL.canParse(address, base) && imageOrigins.includes(new URL(address, base).origin);
  if (!isAllowed) return renderLink(cell);
  const alt = look.url === null ? title : text;
  return html`<img part="cell-image" loading="lazy" referrerpolicy="no-referrer" draggable="false" alt=${alt} src=${address} />`;
}

function renderBar({ text, value }: TableCell, index: number, context: CellContext): TemplateResult {
  const bar = barOf(value, context.range(index));
  const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
  return html`<span class="barred"
    ><svg class="bar" aria-hidden="true">
      ${
        bar
          ? svg`<rect class=${bar.isNegative ? 'negative' : ''} x=${percent(bar.from)} width=${percent(bar.length)} height="100%" />`
          : nothing
      }</svg
    ><span>${isolateFigure(text, context)}</span></span
  >`;
}

function renderLine({ value, text }: TableCell, { messages, count }: CellContext): unknown {
  const figures = lineOf(value);
  const [from, to] = [figures[0], figures.at(-1)];
  if (from === undefined || to === undefined || figures.length < 2) return text;
  const label = messages.trend(figures.length, count(figures.length), count(from), count(to));
  return html`<svg class="line" role="img" aria-label=${label} viewBox="0 0 100 20" preserveAspectRatio="none">
    <path d=${linePath(figures)} vector-effect="non-scaling-stroke" />
  </svg>`;
}
