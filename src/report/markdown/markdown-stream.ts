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

/** What more text has made of a document. */
export interface MarkdownChange {
  /** All that was not settled before: where a block goes on, first what follows its settled children. */
  readonly blocks: readonly MarkdownNode[];
  /** So many of `blocks` are settled now: nothing that follows changes them, but for links. */
  readonly settled: number;
  /** So many children of the block after those are settled too. */
  readonly keep: number;
  /** Blocks, by their place in the document, that used a link whose target was told since. */
  readonly reopened: readonly (readonly [place: number, block: MarkdownNode])[];
  /** Whether more blocks wait to be opened again: the next push goes on with them, even one of no text. */
  readonly isBehind: boolean;
}

/** A settled stretch of the source with links whose targets were not told yet. */
interface Use {
  readonly labels: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** What the stretch of source being read is. `text` is a paragraph as far as can be seen, `block` is certainly none. */
type Kind = 'none' | 'text' | 'block' | 'paragraph' | 'code' | 'list' | 'table';

const maxTextLength = 1_000_000;
/** What can't be settled in parts is read again with each push, up to this length; then it ends, and so does a paragraph. */
const maxBlockLength = 16_000;
/** So many targets of links are known, and so many blocks that use a link before its target is told, none longer than `maxBlockLength`. */
const maxLinks = 500;
const maxUses = 500;
/** Characters that opening a block again takes as long as, besides its own; `maxBlockLength` of them at a time. */
const usePrice = 300;
const bigKinds: readonly Kind[] = ['block', 'list', 'table'];
const { fences, heading, hr, list, blockquote } = Lexer.rules.block.gfm;
const indented = /^(?: {4}| {0,3}\t)/;
const interruptingItem = /^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t]/;

/**
 * Reads Markdown that arrives in pieces. Where a part is settled depends on the lines before it alone, never on how the text was
 * cut: a row of a table, an item of a list, a piece of a long paragraph or of code at a time, other blocks as a whole. Only what
 * comes after is read again with the next piece, so that the time taken is linear. A link whose target is told late opens the
 * settled block again; of 500 targets and the first 500 such blocks, a few with each push. A text beyond 1,000,000 characters is cut.
 */
export class MarkdownStream {
  readonly #longest: number;
  readonly #links: MarkdownLinks;
  readonly #watched: MarkdownLinks;
  /** How many more targets are kept. */
  #room: number;
  #missing = new Set<string>();
  /** The last label that was asked for the first time in this stretch. */
  #asked = '';
  #uses: Use[] = [];
  /** Those of which a target is known now. */
  readonly #told = new Set<Use>();
  #source = '';
  #return = '';
  #kind: Kind = 'none';
  /** Begin of the stretch that is read, of what is not settled in it, and of its first line that was not looked at. */
  #start = 0;
  #at = 0;
  #line = 0;
  /** Places of the first block of this change and of this stretch. */
  #base = 0;
  #place = 0;
  #blocks: MarkdownNode[] = [];
  /** The last of the blocks, while it gets more children. */
  #open: MarkdownBranch | null = null;
  /** The list's marker and indent, after a blank line or not; the table's first lines; what closes the code. */
  #marker = '';
  #indent = 0;
  #blank = false;
  #head = '';
  #fence = /^/;

  constructor(longest = maxTextLength, links: MarkdownLinks = Object.create(null)) {
    this.#longest = longest;
    this.#links = links;
    this.#room = maxLinks - Object.keys(links).length;
    this.#watched = new Proxy(links, {
      get: (target, label) => {
        this.#ask(String(label));
        return Reflect.get(target, label);
      },
      getOwnPropertyDescriptor: (target, label) => {
        this.#ask(String(label));
        return Reflect.getOwnPropertyDescriptor(target, label);
      },
      set: (_target, label, value) => {
        this.#tell(String(label), value);
        return true;
      },
    });
  }

  /** Takes more text. */
  push(text: string): MarkdownChange {
    this.#take(text);
    return this.#change();
  }

  /** Takes the last text, if there is more, and settles all. */
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
    const room = this.#longest - this.#source.length;
    if (room >= 0) this.#source += lines.length > room ? `${lines.slice(0, room)}…` : lines;
  }

  #change(): MarkdownChange {
    this.#read();
    const keep = this.#open?.children.length ?? 0;
    const settled = this.#blocks.length - (this.#open ? 1 : 0);
    this.#add(this.#nodes(this.#source.length, copy(this.#links)));
    const reopened = this.#reopen();
    const change = { blocks: this.#blocks, settled, keep, reopened, isBehind: this.#told.size > 0 };
    this.#base += settled;
    this.#open &&= { ...this.#open, children: [] };
    this.#blocks = this.#open ? [this.#open] : [];
    return change;
  }

  /** Looks at the lines that are complete, and cuts what gets too long. */
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
      // The rest of a line that was cut begins nothing.
      if (this.#kind === 'none') this.#kind = 'text';
    } else if (!this.#goesOn(line, from)) {
      this.#close(from);
      this.#begin(line);
    }
  }

  /** Ends or settles what is longer than may be read again and again. */
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

  /** Whether the line belongs to the stretch before it; settles what it can. */
  #goesOn(line: string, from: number): boolean {
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
        return this.#blank || indentOf(line) >= this.#indent || this.#nextItem(line, from, afterBlank);
      default:
        if (!this.#blank && !afterBlank) return this.#moreText(line, from);
        // Indented code alone goes on after a blank line.
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

  #nextItem(line: string, from: number, afterBlank: boolean): boolean {
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

  /** A table shows in its second line. */
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

  /** Begins a stretch with a line. */
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

  /** Ends the stretch; the next one begins there or, after the line that closes code, at `next`. */
  #close(end: number, next = end): void {
    this.#settle(this.#kind === 'code' ? end - 1 : end);
    const labels = this.#missing;
    const from = this.#start;
    // What began within a line would be read as something else by itself.
    const isWhole = from === 0 || this.#source[from - 1] === '\n';
    if (labels.size && isWhole && end - from <= maxBlockLength && this.#uses.length < maxUses) {
      const use = { labels, from, to: end, place: this.#place };
      this.#uses.push(use);
      if ([...labels].some(label => label in this.#links)) this.#told.add(use);
    }
    this.#missing = new Set();
    this.#asked = '';
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

  /** Adds blocks, of which the only one gets more children later. */
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

  /** What stands from the end of the settled part to `end`. */
  #nodes(end: number, links: MarkdownLinks): MarkdownNode[] {
    const source = this.#source.slice(this.#at, end);
    switch (source && this.#kind) {
      case 'paragraph':
        return [{ type: 'paragraph', children: readInlines(source, links) }];
      case 'table':
        return this.#rows(source, links);
      case 'code': {
        // What may become the closing line is not shown yet.
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

  #ask(label: string): void {
    const isNew = !(label in this.#links || this.#missing.has(label));
    this.#asked = isNew ? label : '';
    if (isNew) this.#missing.add(label);
  }

  #tell(label: string, target: MarkdownLinks[string]): void {
    // The lexer asks for a label before it tells its target: that is no use of it.
    if (this.#asked === label) this.#missing.delete(label);
    if (this.#room <= 0) return;
    this.#room--;
    this.#links[label] = target;
    for (const use of this.#uses) if (use.labels.has(label)) this.#told.add(use);
  }

  /** Reads again some of what used a link that is known now. */
  #reopen(): [number, MarkdownNode][] {
    const reopened: [number, MarkdownNode][] = [];
    let budget = maxBlockLength;
    for (const use of this.#told) {
      if (budget <= 0) break;
      const { from, to, place } = use;
      budget -= to - from + usePrice;
      this.#told.delete(use);
      const again = new MarkdownStream(this.#longest, copy(this.#links)).push(this.#source.slice(from, to));
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

/** The sign of a list: items with another one are of another list. */
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
