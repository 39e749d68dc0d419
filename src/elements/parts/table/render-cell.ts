import { html, nothing, svg, type TemplateResult } from 'lit';
import { safeHref } from '../../../report/format/safe-href.js';
import { barOf, cellTone, lineOf, linePath } from '../../../report/table/cell-graphics.js';
import type { ColumnRange, TableCell, TableColumn } from '../../../report/table/table.js';
import type { TableMessages } from './table-messages.js';

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

/** Renders a number left-to-right on every page. */
function isolateFigure(text: string, context: CellContext): unknown {
  return needsIsolation(text, context) ? html`<bdi dir="ltr">${text}</bdi>` : text;
}

/**
 * Whether the direction of a text may differ from that of the page. Most text has the same direction and needs no
 * wrapper element.
 */
function mayTurn(text: string, { fromRight }: CellContext): boolean {
  return fromRight
    ? /\p{L}/u.test(text)
    : /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802-\ud83b][\udc00-\udfff]/.test(text);
}

function renderContent(cell: TableCell, column: TableColumn, index: number, context: CellContext): unknown {
  const { display } = column.settings;
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

function renderImage(cell: TableCell, { title, settings }: TableColumn, { imageOrigins }: CellContext): unknown {
  const { address, text } = cell;
  const base = document.baseURI;
  const isAllowed =
    address !== null && URL.canParse(address, base) && imageOrigins.includes(new URL(address, base).origin);
  if (!isAllowed) return renderLink(cell);
  const alt = settings.url === null ? title : text;
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
