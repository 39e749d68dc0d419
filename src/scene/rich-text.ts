import type { HtmlNode } from '../report/html/html.js';
import type { MarkdownNode } from '../report/markdown/markdown-nodes.js';

/** A part of a line with one style. */
export interface TextRun {
  readonly text: string;
  readonly isBold: boolean;
  readonly href: string | null;
}

/** A block of formatted text. */
export interface TextBlock {
  readonly kind: 'heading' | 'paragraph' | 'code' | 'quote' | 'item' | 'rule' | 'row';
  /** Level of a heading, from 1; nesting of an item, from 0. */
  readonly level: number;
  /** Bullet or number of an item. */
  readonly bullet: string;
  /** Runs of the text; a line break is a run of `\n`. */
  readonly runs: readonly TextRun[];
  /** Cells of a row of a table. */
  readonly cells: readonly (readonly TextRun[])[];
  readonly isHeader: boolean;
}

const emptyBlock: TextBlock = { kind: 'paragraph', level: 0, bullet: '', runs: [], cells: [], isHeader: false };
/** Maximum number of blocks of a text. */
const maxBlocks = 2_000;

/** Returns the blocks of Markdown text. */
export function markdownBlocks(nodes: readonly MarkdownNode[]): readonly TextBlock[] {
  return nodes.flatMap(node => markdownBlock(node, 0)).slice(0, maxBlocks);
}

interface Inline {
  readonly isBold: boolean;
  readonly href: string | null;
}

const plain: Inline = { isBold: false, href: null };

function markdownBlock(node: MarkdownNode, level: number): TextBlock[] {
  switch (node.type) {
    case 'heading':
      return [{ ...emptyBlock, kind: 'heading', level: node.depth, runs: markdownRuns(node.children, plain) }];
    case 'list':
      return node.children.flatMap((item, index) => {
        const bullet = node.ordered ? `${node.start + index}.` : '•';
        return 'children' in item ? listItem(item.children, bullet, level) : [];
      });
    case 'code':
      return [{ ...emptyBlock, kind: 'code', runs: markdownRuns(node.children, plain) }];
    case 'blockquote':
      return node.children
        .flatMap(child => markdownBlock(child, level))
        .map(block => (block.kind === 'paragraph' ? { ...block, kind: 'quote' } : block));
    case 'hr':
      return [{ ...emptyBlock, kind: 'rule' }];
    case 'table':
      return node.children.flatMap((row, index) =>
        'children' in row
          ? [{ ...emptyBlock, kind: 'row', cells: row.children.map(cellRuns), isHeader: index === 0 } as const]
          : [],
      );
    default:
      return [{ ...emptyBlock, runs: markdownRuns([node], plain) }];
  }
}

function cellRuns(cell: MarkdownNode): readonly TextRun[] {
  return 'children' in cell ? markdownRuns(cell.children, plain) : [];
}

/** Returns the blocks of a list item: the first paragraph follows its bullet, and nested blocks are indented. */
function listItem(children: readonly MarkdownNode[], bullet: string, level: number): TextBlock[] {
  const blocks = children.flatMap(child => markdownBlock(child, level + 1));
  return blocks.map((block, index) => {
    if (block.kind !== 'paragraph') return block;
    return { ...block, kind: 'item', level, bullet: index === 0 ? bullet : '' };
  });
}

function markdownRuns(nodes: readonly MarkdownNode[], style: Inline): TextRun[] {
  return nodes.flatMap((node): TextRun[] => {
    switch (node.type) {
      case 'text':
      case 'codespan':
        return [{ ...style, text: node.text }];
      case 'image':
        return [{ ...style, text: node.text }];
      case 'br':
        return [{ ...style, text: '\n' }];
      case 'hr':
        return [];
      case 'strong':
        return markdownRuns(node.children, { ...style, isBold: true });
      case 'link':
        return markdownRuns(node.children, { ...style, href: webAddress(node.href) });
      default:
        return markdownRuns(node.children, style);
    }
  });
}

/**
 * Returns an absolute URL; `null` for relative URLs, which refer to the page of the dashboard and do not work in a
 * file.
 */
function webAddress(href: string): string | null {
  return /^(?:https?|mailto):/i.test(href) ? href : null;
}

const blockTags = new Set(
  'article blockquote caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const boldTags = new Set(['b', 'strong', 'th', 'dt']);

/** Returns the blocks of the HTML of a report. Layout and colors of its elements are not drawn. */
export function htmlBlocks(nodes: readonly HtmlNode[]): readonly TextBlock[] {
  const builder = new HtmlBlocks();
  builder.add(nodes, plain, 0);
  builder.flush();
  return builder.blocks.slice(0, maxBlocks);
}

class HtmlBlocks {
  readonly blocks: TextBlock[] = [];
  #runs: TextRun[] = [];
  #block: TextBlock = emptyBlock;

  add(nodes: readonly HtmlNode[], style: Inline, level: number): void {
    for (const node of nodes) {
      if (typeof node === 'string') this.#runs.push({ ...style, text: node.replace(/\s+/g, ' ') });
      else if (node.tag === 'br') this.#runs.push({ ...style, text: '\n' });
      else if (node.tag === 'hr') this.#start({ ...emptyBlock, kind: 'rule' }, () => {});
      else if (node.tag === 'tr') this.#row(node.children, style);
      else if (blockTags.has(node.tag)) {
        const inner = boldTags.has(node.tag) ? { ...style, isBold: true } : style;
        this.#start(blockOf(node.tag, level), () => {
          this.add(node.children, inner, node.tag === 'ul' || node.tag === 'ol' ? level + 1 : level);
        });
      } else this.add(node.children, inlineStyle(node, style), level);
    }
  }

  flush(): void {
    const hasText = this.#runs.some(({ text }) => text.trim() !== '');
    if (hasText || this.#block.kind === 'rule') this.blocks.push({ ...this.#block, runs: this.#runs });
    this.#runs = [];
    this.#block = emptyBlock;
  }

  #start(block: TextBlock, fill: () => void): void {
    this.flush();
    this.#block = block;
    fill();
    this.flush();
  }

  #row(cells: readonly HtmlNode[], style: Inline): void {
    this.flush();
    const found = cells.flatMap(cell => (typeof cell === 'string' ? [] : [cell]));
    if (found.length === 0) return;
    this.blocks.push({
      ...emptyBlock,
      kind: 'row',
      isHeader: found.every(({ tag }) => tag === 'th'),
      cells: found.map(cell => inlineRuns(cell.children, boldTags.has(cell.tag) ? { ...style, isBold: true } : style)),
    });
  }
}

function blockOf(tag: string, level: number): TextBlock {
  const depth = /^h([1-6])$/.exec(tag)?.[1];
  if (depth) return { ...emptyBlock, kind: 'heading', level: Number(depth) };
  if (tag === 'li') return { ...emptyBlock, kind: 'item', level: Math.max(0, level - 1), bullet: '•' };
  return emptyBlock;
}

function inlineStyle({ tag, attributes }: Exclude<HtmlNode, string>, style: Inline): Inline {
  if (boldTags.has(tag)) return { ...style, isBold: true };
  if (tag !== 'a') return style;
  const href = attributes.find(([name]) => name === 'href')?.[1];
  return { ...style, href: href === undefined ? null : webAddress(href) };
}

function inlineRuns(nodes: readonly HtmlNode[], style: Inline): TextRun[] {
  return nodes.flatMap(node => {
    if (typeof node === 'string') return [{ ...style, text: node.replace(/\s+/g, ' ') }];
    if (node.tag === 'br') return [{ ...style, text: ' ' }];
    return inlineRuns(node.children, inlineStyle(node, style));
  });
}
