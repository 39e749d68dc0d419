import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { safeHref } from './href.js';

/** Where the text of a table column stands. */
export type MarkdownAlign = 'left' | 'center' | 'right' | null;

/** A piece of running text. */
export type MarkdownInline =
  | { readonly type: 'text' | 'codespan'; readonly text: string }
  | { readonly type: 'strong' | 'em' | 'del'; readonly children: readonly MarkdownInline[] }
  | {
      readonly type: 'link';
      readonly href: string;
      readonly title: string | null;
      readonly children: readonly MarkdownInline[];
    }
  | { readonly type: 'br' };

/** A block of a text. The set is closed: whatever Markdown has besides comes out as text. */
export type MarkdownNode =
  | { readonly type: 'heading'; readonly depth: number; readonly children: readonly MarkdownInline[] }
  | { readonly type: 'paragraph'; readonly children: readonly MarkdownInline[] }
  | {
      readonly type: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly (readonly MarkdownNode[])[];
    }
  | { readonly type: 'code'; readonly text: string; readonly language: string | null }
  | { readonly type: 'blockquote'; readonly children: readonly MarkdownNode[] }
  | { readonly type: 'hr' }
  | {
      readonly type: 'table';
      readonly align: readonly MarkdownAlign[];
      readonly header: readonly (readonly MarkdownInline[])[];
      readonly rows: readonly (readonly (readonly MarkdownInline[])[])[];
    };

const longestText = 50_000;
const longestRun = 4_000;
const deepestNesting = 12;

/**
 * Reads Markdown (GFM) as a small closed tree that can be drawn without any HTML string. HTML is shown as text, an image as its
 * alternative text, and a link to anything but http, https, mailto or a path of the page's own origin as its text alone.
 * Text beyond 50,000 characters is cut, a paragraph beyond 4,000 stays plain, nesting beyond 12 levels is flattened to text.
 */
export function parseMarkdown(text: string): MarkdownNode[] {
  const bounded = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  try {
    return blocks(new BoundedLexer({ gfm: true }).lex(bounded), 0);
  } catch {
    // Thousands of nested quotes or lists overflow the lexer's stack; what was written is still worth showing.
    return [{ type: 'paragraph', children: [{ type: 'text', text: bounded }] }];
  }
}

/** The lexer takes quadratic time over unmatched emphasis (16 s for 64,000 characters), so long runs are not looked into. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= longestRun) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'text', raw: source, text: source, escaped: false });
    return tokens;
  }
}

function blocks(tokens: readonly Token[], depth: number): MarkdownNode[] {
  return tokens.flatMap(token => block(known(token), depth));
}

function block(token: MarkedToken, depth: number): MarkdownNode[] {
  if (depth > deepestNesting) return paragraph([{ type: 'text', text: token.raw.trim() }]);
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return [{ type: 'heading', depth: token.depth, children: inlines(token.tokens, depth) }];
    case 'paragraph':
    case 'text':
      return paragraph(inlines(token.tokens ?? [token], depth));
    case 'list':
      return [
        {
          type: 'list',
          ordered: token.ordered,
          start: Number(token.start) || 1,
          items: token.items.map(item => listItem(item, depth + 1)),
        },
      ];
    case 'code':
      return [{ type: 'code', text: token.text, language: token.lang?.trim() || null }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocks(token.tokens, depth + 1) }];
    case 'hr':
      return [{ type: 'hr' }];
    case 'table': {
      const cells = (row: readonly Tokens.TableCell[]) => row.map(cell => inlines(cell.tokens, depth));
      return [{ type: 'table', align: token.align, header: cells(token.header), rows: token.rows.map(cells) }];
    }
    default:
      return paragraph([{ type: 'text', text: token.raw.trim() }]);
  }
}

function paragraph(children: MarkdownInline[]): MarkdownNode[] {
  return children.length ? [{ type: 'paragraph', children }] : [];
}

function listItem(item: Tokens.ListItem, depth: number): MarkdownNode[] {
  const content = blocks(item.tokens, depth);
  if (!item.task) return content;
  const box: MarkdownInline = { type: 'text', text: item.checked ? '☑ ' : '☐ ' };
  const [first, ...rest] = content;
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [box] }, ...content];
  return [{ type: 'paragraph', children: [box, ...first.children] }, ...rest];
}

function inlines(tokens: readonly Token[], depth: number): MarkdownInline[] {
  return tokens.flatMap(token => inline(known(token), depth + 1));
}

function inline(token: MarkedToken, depth: number): MarkdownInline[] {
  if (depth > deepestNesting) return [{ type: 'text', text: token.raw }];
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ type: token.type, children: inlines(token.tokens, depth) }];
    case 'codespan':
      return [{ type: 'codespan', text: token.text }];
    case 'br':
      return [{ type: 'br' }];
    case 'link':
      return link(token, depth);
    case 'image':
      return token.text ? [{ type: 'text', text: decodeEntities(token.text) }] : [];
    case 'text':
      return token.tokens ? inlines(token.tokens, depth) : [{ type: 'text', text: decodeEntities(token.text) }];
    case 'escape':
      return [{ type: 'text', text: token.text }];
    case 'checkbox':
      return [];
    default:
      return [{ type: 'text', text: token.raw }];
  }
}

function link(token: Tokens.Link, depth: number): MarkdownInline[] {
  const children = inlines(token.tokens, depth);
  const href = safeHref(decodeEntities(token.href));
  if (href === null) return children;
  return [{ type: 'link', href, title: token.title ? decodeEntities(token.title) : null, children }];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The lexer leaves character references to an HTML parser; there is none here, so the usual ones are read. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** No extension is registered, so every token is one of the lexer's own. */
function known(token: Token): MarkedToken {
  return token as MarkedToken;
}
