import type { Table, TableColumn } from '../../../report/table/table.js';

/** Maximum number of rows in an image. */
const maxRows = 200;
/** Maximum width of a column, px; longer text is cut off. */
const maxColumnWidth = 320;
const size = { row: 28, gap: 24, margin: 16, title: 32 } as const;
/** Device pixels per CSS pixel. */
const scale = 2;

/** Colors and font of an image, as in CSS. */
export interface ImageStyle {
  readonly family: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly isRightToLeft: boolean;
}

interface ImageLine {
  readonly texts: readonly string[];
  readonly isHead: boolean;
}

/** Draws a title and the first rows of a table as PNG. Returns `null` if the browser cannot encode the image. */
export function createTableImage(title: string, table: Table, style: ImageStyle): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  const lines = linesOf(table);
  const fonts = { title: `600 14px ${style.family}`, head: `500 12px ${style.family}`, body: `13px ${style.family}` };
  const widthOf = (text: string, font: string): number => {
    context.font = font;
    return Math.ceil(context.measureText(text).width);
  };
  const widths = table.columns.map((_, index) =>
    Math.min(
      maxColumnWidth,
      Math.max(...lines.map(({ texts, isHead }) => widthOf(texts[index] ?? '', isHead ? fonts.head : fonts.body))),
    ),
  );
  const [texts, gaps] = [widths.reduce((sum, width) => sum + width, 0), Math.max(1, widths.length - 1)];
  const inner = Math.max(texts + size.gap * gaps, widthOf(title, fonts.title));
  const width = inner + 2 * size.margin;
  const gap = (inner - texts) / gaps;
  const height = size.title + lines.length * size.row + 2 * size.margin;
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  context.textBaseline = 'middle';
  context.direction = style.isRightToLeft ? 'rtl' : 'ltr';
  context.fillStyle = style.surface;
  context.fillRect(0, 0, width, height);
  /** Draws text in a box that begins at a distance from the start of the line. */
  const draw = (text: string, from: number, box: number, top: number, align: TableColumn['align']): void => {
    const left = style.isRightToLeft ? width - from - box : from;
    const isAtLeft = (align === 'start') !== style.isRightToLeft;
    const [side, offset] = align === 'center' ? (['center', box / 2] as const) : sides(box)[isAtLeft ? 0 : 1];
    context.textAlign = side;
    context.fillText(
      cutText(text, box, shown => context.measureText(shown).width),
      left + offset,
      top,
    );
  };
  context.fillStyle = style.text;
  context.font = fonts.title;
  draw(title, size.margin, width - 2 * size.margin, size.margin + size.title / 2 - 4, 'start');
  for (const [index, { texts, isHead }] of lines.entries()) {
    const top = size.margin + size.title + index * size.row;
    let from: number = size.margin;
    for (const [column, { align }] of table.columns.entries()) {
      context.fillStyle = isHead ? style.muted : style.text;
      context.font = isHead ? fonts.head : fonts.body;
      draw(texts[column] ?? '', from, widths[column] ?? 0, top + size.row / 2, align);
      from += (widths[column] ?? 0) + gap;
    }
    context.fillStyle = style.line;
    context.fillRect(size.margin, top + size.row - 1, width - 2 * size.margin, 1);
  }
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}

function linesOf(table: Table): readonly ImageLine[] {
  const count = Math.min(table.rowCount, maxRows);
  const rows = Array.from({ length: count }, (_, index) => (table.row(index)?.cells ?? []).map(({ text }) => text));
  const more = table.rowCount > count ? [{ texts: ['…'], isHead: false }] : [];
  return [
    { texts: table.columns.map(({ title }) => title), isHead: true },
    ...rows.map(texts => ({ texts, isHead: false })),
    ...more,
  ];
}

/** Returns the text alignments for both sides of a box, each with its distance from the left side. */
function sides(box: number): readonly [readonly ['left', number], readonly ['right', number]] {
  return [
    ['left', 0],
    ['right', box],
  ];
}

/** Truncates text to a width. */
function cutText(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width + 1) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(`${text.slice(0, middle)}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}
