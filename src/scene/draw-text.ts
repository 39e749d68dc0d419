import type { TextBlock, TextRun } from './rich-text.js';
import { mixColors } from './scene-colors.js';
import { atStart, type SceneContext, textLine } from './scene-context.js';
import { element, round, type SvgElement, type SvgNode } from './svg-element.js';
import { type FontWeight, plainText } from './text-fitter.js';
import type { Strip, TileBody } from './tile-body.js';

const textSize = 14;
const headingSizes = [22, 19, 17, 15, 14, 14];
const indent = 18;
const cellGap = 12;

/** Creates a body of formatted text. */
export function textBody(context: SceneContext, blocks: readonly TextBlock[], notes: readonly string[] = []): TileBody {
  return {
    type: 'flow',
    layOut: width => [
      { head: [], strips: blocks.flatMap((block, index) => blockStrips(context, block, { width, index })) },
    ],
    html: () => htmlBlocks(blocks),
    description: '',
    notes,
  };
}

/** A word with its style and width. */
interface Word extends TextRun {
  readonly width: number;
}

interface Place {
  readonly width: number;
  readonly index: number;
}

function blockStrips(context: SceneContext, block: TextBlock, { width, index }: Place): Strip[] {
  const { colors } = context;
  switch (block.kind) {
    case 'rule':
      return [
        {
          height: 17,
          nodes: [element('rect', { x: 0, y: 8, width: round(width), height: 1, fill: colors.line })],
        },
      ];
    case 'row':
      return [rowStrip(context, block, width)];
    case 'heading': {
      const size = headingSizes[block.level - 1] ?? textSize;
      return lineStrips(context, bold(block.runs), { width, size, before: index === 0 ? 0 : 8, after: 4 });
    }
    case 'item': {
      const left = indent * (block.level + 1);
      return lineStrips(context, block.runs, { width, size: textSize, left, bullet: block.bullet, after: 2 });
    }
    case 'quote':
      return lineStrips(context, block.runs, { width, size: textSize, left: indent, bar: true, after: 4 });
    case 'code':
      return codeLines(block.runs).flatMap(line =>
        lineStrips(context, [{ text: line, isBold: false, href: null }], { width, size: 12, left: 8, after: 0 }),
      );
    case 'paragraph':
      return lineStrips(context, block.runs, { width, size: textSize, after: 6 });
  }
}

function bold(runs: readonly TextRun[]): TextRun[] {
  return runs.map(run => ({ ...run, isBold: true }));
}

function codeLines(runs: readonly TextRun[]): string[] {
  return runs
    .map(({ text }) => text)
    .join('')
    .replaceAll('\t', '  ')
    .split('\n')
    .map(line => line.replaceAll(' ', '\u00a0'));
}

interface LineOptions {
  readonly width: number;
  readonly size: number;
  readonly left?: number;
  readonly bullet?: string;
  readonly bar?: boolean;
  /** Space above the first and below the last line. */
  readonly before?: number;
  readonly after: number;
}

/** Breaks runs into lines, one strip each. */
function lineStrips(context: SceneContext, runs: readonly TextRun[], options: LineOptions): Strip[] {
  const { width, size, left = 0, bullet = '', bar = false, before = 0, after } = options;
  const { colors, direction } = context;
  const lines = breakLines(context, runs, width - left, size);
  const height = Math.round(size * 1.5);
  return lines.map((line, index) => {
    const top = index === 0 ? before : 0;
    const y = top + size * 1.1;
    const nodes = drawLine(context, line, { left, width, y, size });
    if (bullet && index === 0) {
      const place = atStart(context, left - indent + 4, width - 2 * (left - indent + 4));
      nodes.push(textLine(context, bullet, { ...place, y, size, fill: colors.muted }));
    }
    if (bar) {
      const x = direction === 'rtl' ? width - 3 : 0;
      nodes.push(element('rect', { x, y: top, width: 3, height, fill: mixColors(colors.text, 0.2, colors.surface) }));
    }
    const isLast = index === lines.length - 1;
    return { height: top + height + (isLast ? after : 0), nodes };
  });
}

/** Draws the words of a line. Consecutive words of one style are one text, so that it can be searched. */
function drawLine(
  context: SceneContext,
  line: readonly Word[],
  {
    left,
    width,
    y,
    size,
  }: { readonly left: number; readonly width: number; readonly y: number; readonly size: number },
): SvgElement[] {
  const { colors, direction } = context;
  const nodes: SvgElement[] = [];
  let x = left;
  for (const { text, isBold, href, width: own } of joined(line)) {
    // Move the text by the width of its leading spaces, because SVG drops them.
    const leading = context.fonts.width(text.slice(0, text.length - text.trimStart().length), {
      size,
      weight: isBold ? 600 : 400,
    });
    const at = direction === 'rtl' ? width - x - leading : x + leading;
    nodes.push(
      textLine(context, text.trim(), {
        x: at,
        y,
        size,
        anchor: direction === 'rtl' ? 'end' : 'start',
        weight: isBold ? 600 : 400,
        fill: href ? colors.accent : colors.text,
        href,
      }),
    );
    x += own;
  }
  return nodes;
}

function joined(words: readonly Word[]): Word[] {
  const parts: Word[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last && last.isBold === word.isBold && last.href === word.href) {
      parts[parts.length - 1] = { ...last, text: last.text + word.text, width: last.width + word.width };
    } else parts.push(word);
  }
  return parts;
}

function breakLines({ fonts }: SceneContext, runs: readonly TextRun[], width: number, size: number): Word[][] {
  const lines: Word[][] = [[]];
  let used = 0;
  for (const { text, isBold, href } of runs) {
    const style: { readonly size: number; readonly weight: FontWeight } = { size, weight: isBold ? 600 : 400 };
    for (const [index, segment] of text.split('\n').entries()) {
      if (index > 0) {
        lines.push([]);
        used = 0;
      }
      for (const part of segment.match(/\S+\s*|\s+/g) ?? []) {
        for (const piece of fonts.wrap(fonts.drawable(part, style.weight), width, style)) {
          const word = /\s$/.test(part) ? `${piece} ` : piece;
          const own = fonts.width(word, style);
          if (used > 0 && used + fonts.width(piece, style) > width) {
            lines.push([]);
            used = 0;
          }
          lines.at(-1)?.push({ text: word, isBold, href, width: own });
          used += own;
        }
      }
    }
  }
  return lines;
}

function rowStrip(context: SceneContext, { cells, isHeader }: TextBlock, width: number): Strip {
  const columnWidth = width / Math.max(1, cells.length);
  const size = 13;
  const lines = cells.map(runs => breakLines(context, isHeader ? bold(runs) : runs, columnWidth - cellGap, size));
  const height = Math.max(1, ...lines.map(({ length }) => length)) * 19 + 8;
  const rule = element('rect', { x: 0, y: height - 1, width: round(width), height: 1, fill: context.colors.line });
  const nodes = lines.flatMap((cell, index) => {
    const left = context.direction === 'rtl' ? width - (index + 1) * columnWidth : index * columnWidth;
    return cell.flatMap((line, at) =>
      drawLine(context, line, { left: 0, width: columnWidth - cellGap, y: 17 + at * 19, size }).map(node =>
        element('g', { transform: `translate(${round(left)} 0)` }, [node]),
      ),
    );
  });
  return { height, nodes: [...nodes, rule] };
}

/** Writes blocks as HTML. Adjacent rows are one table. */
function htmlBlocks(blocks: readonly TextBlock[]): readonly SvgNode[] {
  const nodes: SvgNode[] = [];
  let rows: SvgNode[] = [];
  for (const [index, block] of blocks.entries()) {
    const node = htmlBlock(block);
    if (block.kind !== 'row') nodes.push(node);
    else rows.push(node);
    if (rows.length > 0 && blocks[index + 1]?.kind !== 'row') {
      nodes.push(element('table', {}, rows));
      rows = [];
    }
  }
  return nodes;
}

/** Gives text the direction of its first letter. */
const auto = { dir: 'auto' } as const;

function htmlBlock(block: TextBlock): SvgNode {
  const runs = (list: readonly TextRun[]): SvgNode[] =>
    list.map(({ text: given, isBold, href }) => {
      if (given === '\n') return element('br', {});
      const text = plainText(given);
      const content = isBold ? element('strong', {}, [text]) : text;
      return href ? element('a', { href, rel: 'noopener noreferrer nofollow' }, [content]) : content;
    });
  switch (block.kind) {
    case 'rule':
      return element('hr', {});
    case 'heading':
      return element(`h${Math.min(6, block.level + 2)}`, auto, runs(block.runs));
    case 'row':
      return element(
        'tr',
        {},
        block.cells.map(cell => element(block.isHeader ? 'th' : 'td', auto, runs(cell))),
      );
    case 'item':
      return element('p', { ...auto, style: `margin-inline-start:${(block.level + 1) * 16}px` }, [
        `${block.bullet} `,
        ...runs(block.runs),
      ]);
    case 'code':
      return element('pre', {}, runs(block.runs));
    case 'quote':
      return element('blockquote', auto, runs(block.runs));
    case 'paragraph':
      return element('p', auto, runs(block.runs));
  }
}
