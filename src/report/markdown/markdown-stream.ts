import { Lexer } from '../markdown-lexer.js';
import {
  type MarkdownBranch,
  type MarkdownLinks,
  type MarkdownNode,
  maxRunLength,
  pieceLength,
  readBlocks,
  readInlines,
} from './markdown-nodes.js';

/** Changes to a document after more text arrived. */
export interface MarkdownChange {
  /**
   * All blocks that were not settled before. If a block continues, the first block contains the children after its
   * settled ones.
   */
  readonly blocks: readonly MarkdownNode[];
  /** Number of `blocks` that are settled: later text can change only their links. */
  readonly settled: number;
  /** Number of settled children in the next block. */
  readonly keep: number;
  /** Settled blocks by index that used a link whose target arrived later. */
  readonly reopened: readonly (readonly [place: number, block: MarkdownNode])[];
  /** True if more blocks have to be reopened; the next push continues with them, even with an empty string. */
  readonly isBehind: boolean;
}

/** A settled section of the source with links whose targets were not yet known. */
interface Use {
  readonly labels: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** Kind of the current section. `text` is a paragraph as far as known, `block` is certainly not one. */
type Kind = 'none' | 'text' | 'block' | 'paragraph' | 'code' | 'list' | 'table';

const maxTextLength = 1_000_000;
/**
 * Maximum length of a section that cannot be settled in parts and is parsed again with each push. The section ends at
 * this length, and so does a paragraph.
 */
const maxBlockLength = 16_000;
/**
 * Maximum number of link targets, and of blocks that use a link before its target is known; each such block has at most
 * `maxBlockLength` characters.
 */
const maxLinks = 500;
const maxUses = 500;
/** Cost of reopening a block in addition to its length, in characters; each push spends at most `maxBlockLength`. */
const usePrice = 300;
const bigKinds: readonly Kind[] = ['block', 'list', 'table'];
const { fences, heading, hr, list, blockquote } = Lexer.rules.block.gfm;
const indented = /^(?: {4}| {0,3}\t)/;
const interruptingItem = /^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t]/;

/**
 * Parses Markdown that arrives in pieces. Where a part is settled depends only on the preceding lines, not on how the
 * text was split: after a table row, a list item, or a piece of a long paragraph or of code; other blocks are settled
 * as a whole. Only the text after the settled part is parsed again with the next piece, so that the total time is
 * linear. If a link target arrives late, the settled block is reopened: for up to 500 targets and the first 500 such
 * blocks, a few with each push. Text beyond 1,000,000 characters is truncated.
 */
export class MarkdownStream {
  readonly #maxLength: number;
  readonly #links: MarkdownLinks;
  readonly #watched: MarkdownLinks;
  /** Number of further link targets that can be stored. */
  #remainingLinks: number;
  #missing = new Set<string>();
  /** The last label that was looked up for the first time in this section. */
  #lookedUp = '';
  #uses: Use[] = [];
  /** References to links whose target has been read. */
  readonly #resolvedUses = new Set<Use>();
  #source = '';
  #return = '';
  #kind: Kind = 'none';
  /**
   * Offsets in the source: start of the current section (`#start`), of its unsettled part (`#at`), and of its first
   * unread line (`#line`).
   */
  #start = 0;
  #at = 0;
  #line = 0;
  /** Indexes of the first changed block (`#base`) and of the first block of the current section (`#place`). */
  #base = 0;
  #place = 0;
  #blocks: MarkdownNode[] = [];
  /** The last block, if it can receive more children. */
  #open: MarkdownBranch | null = null;
  /** Marker and indent of the list, and whether a blank line precedes; header of the table; end marker of the code. */
  #marker = '';
  #indent = 0;
  #blank = false;
  #head = '';
  #fence = /^/;

  constructor(maxLength = maxTextLength, links: MarkdownLinks = Object.create(null)) {
    this.#maxLength = maxLength;
    this.#links = links;
    this.#remainingLinks = maxLinks - Object.keys(links).length;
    this.#watched = new Proxy(links, {
      get: (target, label) => {
        this.#lookUp(String(label));
        return Reflect.get(target, label);
      },
      getOwnPropertyDescriptor: (target, label) => {
        this.#lookUp(String(label));
        return Reflect.getOwnPropertyDescriptor(target, label);
      },
      set: (_target, label, value) => {
        this.#addLink(String(label), value);
        return true;
      },
    });
  }

  /** Appends text. */
  push(text: string): MarkdownChange {
    this.#take(text);
    return this.#change();
  }

  /** Appends the last text, if any, and settles all blocks. */
  end(text = ''): MarkdownChange {
    this.#take(text);
    if (this.#return || !this.#source.endsWith('\n')) this.#take('\n');
    this.#read();
    this.#close(this.#source.length);
    return this.#change();
  }

  #take(text: string): void {
    const whole = this.#return + text;
    this.#return = whole.endsWith('\r') ? '\r' : '';
    const lines = whole.slice(0, whole.length - this.#return.length).replace(/\r\n?/g, '\n');
    const remaining = this.#maxLength - this.#source.length;
    if (remaining >= 0) this.#source += lines.length > remaining ? `${lines.slice(0, remaining)}…` : lines;
  }

  #change(): MarkdownChange {
    this.#read();
    const keep = this.#open?.children.length ?? 0;
    const settled = this.#blocks.length - (this.#open ? 1 : 0);
    this.#add(this.#nodes(this.#source.length, copy(this.#links)));
    const reopened = this.#reopen();
    const change = { blocks: this.#blocks, settled, keep, reopened, isBehind: this.#resolvedUses.size > 0 };
    this.#base += settled;
    this.#open &&= { ...this.#open, children: [] };
    this.#blocks = this.#open ? [this.#open] : [];
    return change;
  }

  /** Reads complete lines, and splits sections that become too long. */
  #read(): void {
    for (;;) {
      const end = this.#source.indexOf('\n', this.#line);
      const limit = this.#at + (bigKinds.includes(this.#kind) ? maxBlockLength : maxRunLength);
      if (this.#source.length > limit && (end < 0 || end >= limit)) {
        this.#cut(limit);
      } else if (end < 0) {
        return;
      } else {
        const from = this.#line;
        this.#line = end + 1;
        this.#readLine(this.#source.slice(from, end), from);
      }
    }
  }

  #readLine(line: string, from: number): void {
    if (from < this.#at) {
      // The rest of a line that was split cannot start a block.
      if (this.#kind === 'none') this.#kind = 'text';
    } else if (!this.#continues(line, from)) {
      this.#close(from);
      this.#begin(line);
    }
  }

  /** Ends or settles a section that is too long to be parsed again. */
  #cut(limit: number): void {
    const long = this.#source.slice(this.#at, limit);
    const end = this.#at + pieceLength(long);
    if (this.#kind === 'none' || this.#kind === 'text') {
      this.#kind = only('paragraph', readBlocks(long, copy(this.#links))) ? 'paragraph' : 'block';
    } else if (bigKinds.includes(this.#kind)) {
      this.#close(long.includes('\n') ? this.#at + long.lastIndexOf('\n') + 1 : end);
    } else if (this.#kind === 'paragraph' && end - this.#start > maxBlockLength) {
      this.#close(end);
    } else {
      this.#settle(end);
    }
  }

  /** Returns true if the line continues the current section. Settles the parts that later text can no longer change. */
  #continues(line: string, from: number): boolean {
    const afterBlank = this.#blank;
    this.#blank = !line.trim();
    switch (this.#kind) {
      case 'none':
        return false;
      case 'code':
        if (this.#fence.test(line)) this.#close(from, this.#line);
        return true;
      case 'table':
        return !this.#blank && this.#row(line);
      case 'list':
        return this.#blank || indentOf(line) >= this.#indent || this.#nextItem(line, from, { afterBlank });
      default:
        if (!this.#blank && !afterBlank) return this.#moreText(line, from);
        // After a blank line, only indented code continues.
        return this.#kind !== 'paragraph' && indented.test(this.#blank ? this.#source.slice(this.#at, from) : line);
    }
  }

  #row(line: string): boolean {
    const rows = this.#rows(line, this.#watched);
    const fits = rows.length === 1;
    if (fits) {
      this.#add(rows);
      this.#at = this.#line;
    }
    return fits;
  }

  #nextItem(line: string, from: number, { afterBlank }: { readonly afterBlank: boolean }): boolean {
    if (!isItem(line)) return !afterBlank && !endsParagraph(line) && !fences.test(line);
    if (markerOf(line) !== this.#marker) return false;
    this.#settle(from);
    this.#item(line);
    return true;
  }

  #moreText(line: string, from: number): boolean {
    if (fences.test(line) || (interruptingItem.test(line) && isItem(line))) return false;
    if (this.#table(line, from)) return true;
    if (this.#kind === 'paragraph') return !endsParagraph(line);
    if (heading.test(line) || hr.test(line)) this.#close(this.#line);
    return true;
  }

  /** Starts a table if this line is the second line of one. Returns whether it is. */
  #table(line: string, from: number): boolean {
    const before = this.#source.lastIndexOf('\n', from - 2) + 1;
    if (before < this.#at || !/^[ \t]*[|:-][-|: \t]*$/.test(line)) return false;
    const head = this.#source.slice(before, this.#line);
    if (!only('table', readBlocks(head, copy(this.#links)))) return false;
    this.#close(before);
    this.#kind = 'table';
    this.#head = head;
    this.#grow(readBlocks(head, this.#watched));
    this.#at = this.#line;
    return true;
  }

  /** Starts a section with a line. */
  #begin(line: string): void {
    const [, mark = '', info = ''] = fences.exec(line) ?? [];
    this.#blank = false;
    this.#kind = 'text';
    if (!line.trim()) {
      this.#close(this.#line);
    } else if (mark) {
      this.#kind = 'code';
      this.#indent = indentOf(line);
      this.#fence = new RegExp(`^ {0,3}${mark[0]}{${mark.length},} *$`);
      this.#grow([{ type: 'code', language: info.trim() || null, children: [] }]);
      this.#at = this.#line;
    } else if (isItem(line)) {
      this.#kind = 'list';
      this.#marker = markerOf(line);
      this.#item(line);
    } else if (heading.test(line) || hr.test(line)) {
      this.#close(this.#line);
    }
  }

  #item(line: string): void {
    const [, bullet = '', space = '', rest = ''] = /^( {0,3}[^ \t]+)( *)(.*)/.exec(expandTabs(line)) ?? [];
    this.#indent = bullet.length + (rest && space.length < 5 ? space.length : 1);
  }

  /**
   * Ends the section at `end`. The next section starts at `next`, which differs from `end` only for a code block, where
   * it follows the closing line.
   */
  #close(end: number, next = end): void {
    this.#settle(this.#kind === 'code' ? end - 1 : end);
    const labels = this.#missing;
    const from = this.#start;
    // A section that starts within a line would be parsed differently without the start of the line.
    const isWhole = from === 0 || this.#source[from - 1] === '\n';
    if (labels.size && isWhole && end - from <= maxBlockLength && this.#uses.length < maxUses) {
      const use = { labels, from, to: end, place: this.#place };
      this.#uses.push(use);
      if ([...labels].some(label => label in this.#links)) this.#resolvedUses.add(use);
    }
    this.#missing = new Set();
    this.#lookedUp = '';
    this.#open = null;
    this.#kind = 'none';
    this.#start = this.#at = next;
    this.#place = this.#base + this.#blocks.length;
  }

  #settle(end: number): void {
    if (end <= this.#at) return;
    const nodes = this.#nodes(end, this.#watched);
    this.#at = end;
    if (this.#kind === 'list' || this.#kind === 'paragraph') this.#grow(nodes);
    else this.#add(nodes);
  }

  /** Adds blocks; a single block can receive more children later. */
  #grow(nodes: MarkdownNode[]): void {
    this.#add(nodes);
    const [first] = nodes;
    if (nodes.length !== 1 || !first || !('children' in first)) this.#open = null;
    else this.#open ??= first;
  }

  #add(nodes: MarkdownNode[]): void {
    const [first, ...rest] = nodes;
    if (first && 'children' in first && first.type === this.#open?.type) {
      this.#open.children.push(...first.children);
      this.#blocks.push(...rest);
    } else {
      this.#blocks.push(...nodes);
    }
  }

  /** Parses the source from the end of the settled part to `end`. */
  #nodes(end: number, links: MarkdownLinks): MarkdownNode[] {
    const source = this.#source.slice(this.#at, end);
    switch (source && this.#kind) {
      case 'paragraph':
        return [{ type: 'paragraph', children: readInlines(source, links) }];
      case 'table':
        return this.#rows(source, links);
      case 'code': {
        // A possible closing line is not shown yet.
        const lines = end < this.#source.length ? source : source.replace(/(^|\n) {0,3}[`~]*$/, '');
        const text = this.#indent ? lines.replace(new RegExp(`^ {1,${this.#indent}}`, 'gm'), '') : lines;
        return [{ type: 'code', language: null, children: text ? [{ type: 'text', text }] : [] }];
      }
      default:
        return readBlocks(source, links);
    }
  }

  #rows(source: string, links: MarkdownLinks): MarkdownNode[] {
    const [table, ...rest] = readBlocks(this.#head + source, links);
    return table?.type === 'table' ? [{ ...table, children: table.children.slice(1) }, ...rest] : rest;
  }

  #lookUp(label: string): void {
    const isNew = !(label in this.#links || this.#missing.has(label));
    this.#lookedUp = isNew ? label : '';
    if (isNew) this.#missing.add(label);
  }

  #addLink(label: string, target: MarkdownLinks[string]): void {
    // Before it stores a target, the lexer looks up the label; this lookup is not a use.
    if (this.#lookedUp === label) this.#missing.delete(label);
    if (this.#remainingLinks <= 0) return;
    this.#remainingLinks--;
    this.#links[label] = target;
    for (const use of this.#uses) if (use.labels.has(label)) this.#resolvedUses.add(use);
  }

  /** Reparses some of the sections whose link targets are now known. */
  #reopen(): [number, MarkdownNode][] {
    const reopened: [number, MarkdownNode][] = [];
    let budget = maxBlockLength;
    for (const use of this.#resolvedUses) {
      if (budget <= 0) break;
      const { from, to, place } = use;
      budget -= to - from + usePrice;
      this.#resolvedUses.delete(use);
      const again = new MarkdownStream(this.#maxLength, copy(this.#links)).push(this.#source.slice(from, to));
      for (const [index, block] of again.blocks.entries()) reopened.push([place + index, block]);
    }
    return reopened;
  }
}

function only(type: MarkdownNode['type'], nodes: readonly MarkdownNode[]): boolean {
  return nodes.length === 1 && nodes[0]?.type === type;
}

function copy(links: MarkdownLinks): MarkdownLinks {
  return Object.assign(Object.create(null), links);
}

function isItem(line: string): boolean {
  return list.test(line) && !hr.test(line);
}

/** Returns the marker of a list; an item with another marker belongs to another list. */
function markerOf(line: string): string {
  return /[-*+.)]/.exec(line)?.[0] ?? '';
}

function endsParagraph(line: string): boolean {
  return heading.test(line) || hr.test(line) || blockquote.test(line);
}

function indentOf(line: string): number {
  return expandTabs(line).search(/\S/);
}

function expandTabs(line: string): string {
  const expanded = line.replace('\t', (_tab, at: number) => ' '.repeat(4 - (at % 4)));
  return expanded === line ? line : expandTabs(expanded);
}
