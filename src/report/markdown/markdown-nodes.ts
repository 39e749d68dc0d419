import { safeHref } from '../format/safe-href.js';
import { Lexer, type MarkedToken, type Token, type Tokens } from '../markdown-lexer.js';

/** Alignment of a table column. */
export type MarkdownAlign = 'left' | 'center' | 'right' | null;

/** A node without attributes or text. */
interface Plain {
  readonly type: 'strong' | 'em' | 'del' | 'paragraph' | 'blockquote' | 'item' | 'row';
  readonly children: MarkdownNode[];
}

/** A node with children. The first child of a table is its header row; long code is split into several text nodes. */
export type MarkdownBranch =
  | Plain
  | { readonly type: 'link'; readonly href: string; readonly title: string | null; readonly children: MarkdownNode[] }
  | { readonly type: 'heading'; readonly depth: number; readonly children: MarkdownNode[] }
  | { readonly type: 'list'; readonly ordered: boolean; readonly start: number; readonly children: MarkdownNode[] }
  | { readonly type: 'code'; readonly language: string | null; readonly children: MarkdownNode[] }
  | { readonly type: 'table'; readonly children: MarkdownNode[] }
  | { readonly type: 'head' | 'cell'; readonly align: MarkdownAlign; readonly children: MarkdownNode[] };

/** A node of a Markdown document. The set is closed: all other Markdown syntax becomes text. */
export type MarkdownNode =
  | MarkdownBranch
  | { readonly type: 'text' | 'codespan'; readonly text: string }
  | { readonly type: 'image'; readonly src: string | null; readonly text: string }
  | { readonly type: 'br' | 'hr' };

/** Link targets by label, as stored by the lexer. */
export type MarkdownLinks = Lexer['tokens']['links'];

/** Maximum number of characters of a text run that are lexed at a time. */
export const maxRunLength = 2_000;
/**
 * Text with many emphasis markers is lexed in small pieces, because the lexer needs far more than linear time for
 * unmatched emphasis.
 */
const manySigns = /^(?:[^*_]*[*_]){60}/;
const maxNesting = 12;
/**
 * Maximum number of consecutive quote and list markers, far more than the rendered nesting depth. The lexer recurses
 * and copies the text for each marker.
 */
const nestedTooDeep = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){60}/m;

/**
 * Parses the blocks of a source. Resolves link labels with `links` and adds link definitions to it; the first
 * definition of a label applies.
 */
export function readBlocks(source: string, links: MarkdownLinks): MarkdownNode[] {
  try {
    if (!nestedTooDeep.test(source)) return blocks(lexer(links).lex(source), 0);
  } catch {
    // If the lexer's stack overflows, the source is shown as text.
  }
  return [paragraph([plain(source.trim())])];
}

/** Parses inline content, without blocks. */
export function readInlines(source: string, links: MarkdownLinks): MarkdownNode[] {
  return inlines(lexer(links).inlineTokens(source), 0);
}

/**
 * Returns the length of the first piece of long text: it ends after a line or before emphasized text, otherwise after
 * a word.
 */
export function pieceLength(long: string): number {
  const piece =
    /^[\s\S]*(?:[^\s\\]\n|\s(?=[*_]+[^\s*_]))/.exec(long) ??
    /^[\s\S]* /.exec(long) ??
    /^[\s\S]*[^\ud800-\udbff]/.exec(long);
  return piece?.[0].length ?? long.length;
}

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    for (let at = 0; at < source.length; ) {
      const long = source.slice(at, at + maxRunLength);
      const piece = manySigns.exec(long)?.[0] ?? long;
      const end = at + piece.length < source.length ? pieceLength(piece) : piece.length;
      tokens.push(...super.inlineTokens(piece.slice(0, end)));
      at += end;
    }
    return tokens;
  }
}

function lexer(links: MarkdownLinks): Lexer {
  const bounded = new BoundedLexer({ gfm: true });
  bounded.tokens.links = links;
  return bounded;
}

function plain(text: string): MarkdownNode {
  return { type: 'text', text };
}

function paragraph(children: MarkdownNode[]): Plain {
  return { type: 'paragraph', children };
}

function blocks(tokens: readonly Token[], depth: number): MarkdownNode[] {
  return tokens.flatMap(token => block(asMarkedToken(token), depth));
}

function block(token: MarkedToken, depth: number): MarkdownNode[] {
  if (depth > maxNesting) return [paragraph([plain(token.raw.trim())])];
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return [{ type: 'heading', depth: token.depth, children: inlines(token.tokens, depth) }];
    case 'paragraph':
    case 'text':
      return [paragraph(inlines(token.tokens ?? [token], depth))];
    case 'list': {
      const children = token.items.map(item => listItem(item, depth + 1));
      return [{ type: 'list', ordered: token.ordered, start: Number(token.start) || 0, children }];
    }
    case 'code':
      return [{ type: 'code', language: token.lang?.trim() || null, children: [plain(token.text)] }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocks(token.tokens, depth + 1) }];
    case 'hr':
      return [{ type: 'hr' }];
    case 'table':
      return [{ type: 'table', children: [token.header, ...token.rows].map(row => tableRow(row, depth)) }];
    default:
      return [paragraph([plain(token.raw.trim())])];
  }
}

function listItem(item: Tokens.ListItem, depth: number): MarkdownNode {
  const children = blocks(item.tokens, depth);
  if (item.task) {
    const first = children[0]?.type === 'paragraph' ? children[0] : paragraph([]);
    if (first !== children[0]) children.unshift(first);
    first.children.unshift(plain(item.checked ? '☑ ' : '☐ '));
  }
  return { type: 'item', children };
}

function tableRow(row: readonly Tokens.TableCell[], depth: number): MarkdownNode {
  const children = row.map(
    ({ header, align, tokens }): MarkdownNode => ({
      type: header ? 'head' : 'cell',
      align,
      children: inlines(tokens, depth),
    }),
  );
  return { type: 'row', children };
}

function inlines(tokens: readonly Token[], depth: number): MarkdownNode[] {
  return tokens.flatMap(token => inline(asMarkedToken(token), depth + 1));
}

function inline(token: MarkedToken, depth: number): MarkdownNode[] {
  if (depth > maxNesting) return [plain(token.raw)];
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ type: token.type, children: inlines(token.tokens, depth) }];
    case 'codespan':
    case 'escape':
      return [{ type: token.type === 'escape' ? 'text' : token.type, text: token.text }];
    case 'br':
      return [{ type: 'br' }];
    case 'link':
      return link(token, depth);
    case 'image':
      return [{ type: 'image', src: safeHref(decodeEntities(token.href)), text: decodeEntities(token.text) }];
    case 'text':
      return token.tokens ? inlines(token.tokens, depth) : [plain(decodeEntities(token.text))];
    case 'checkbox':
      return [];
    default:
      return [plain(token.raw)];
  }
}

function link(token: Tokens.Link, depth: number): MarkdownNode[] {
  const children = inlines(token.tokens, depth);
  const href = safeHref(decodeEntities(token.href));
  return href === null
    ? children
    : [{ type: 'link', href, title: token.title ? decodeEntities(token.title) : null, children }];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Decodes common character references, which the lexer leaves to an HTML parser. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Narrows the type of a token. No extensions are registered, so every token is a built-in one. */
function asMarkedToken(token: Token): MarkedToken {
  return token as MarkedToken;
}
