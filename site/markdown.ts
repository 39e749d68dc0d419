import { posix } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked, type Tokens } from 'marked';

const languages = { bash, css, http, javascript, json, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** A heading of a page. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
  /** First sentences of the section below it, as text. */
  excerpt: string;
}

/** A Markdown file as HTML. Addresses are absolute paths below the root of the site. */
export interface RenderedPage {
  readonly title: string;
  /** First paragraph, as text. */
  readonly description: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Escapes text for HTML. */
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Highlights code. Unknown languages are shown as plain text. */
export function highlight(code: string, language: string): string {
  const name = hljs.getLanguage(language) ? language : null;
  const html = name === null ? escapeHtml(code) : hljs.highlight(code, { language: name }).value;
  return `<pre class="code" tabindex="0"><code>${html}</code></pre>`;
}

/** Renders Markdown that has no headings, such as the comment of an operation. */
export const markdownHtml = (markdown: string): string => plain.parse(markdown, { async: false });

/** Renders the inline Markdown of one paragraph. */
export const inlineHtml = (markdown: string): string => plain.parseInline(markdown, { async: false });

/** Returns the text of inline Markdown. */
export const plainText = (markdown: string): string =>
  inlineHtml(markdown)
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

const codeBlock = ({ text, lang = '' }: Tokens.Code): string => highlight(text, lang);

const plain = new Marked({ renderer: { code: codeBlock } });

/** Returns the anchor that GitHub gives to a heading. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/**
 * Renders a Markdown file of the repository.
 * @param path - path of the file, from which its links start.
 * @param addressOf - returns the address of a file on the site; `null` if it is not part of the site.
 */
export function renderMarkdown(
  markdown: string,
  path: string,
  addressOf: (path: string) => string | null,
): RenderedPage {
  const headings: Heading[] = [];
  let title = '';
  let description = '';
  const resolve = (href: string): string | null => {
    if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
    const [file = '', anchor] = href.split('#');
    const address = addressOf(posix.normalize(posix.join(posix.dirname(path), file)));
    return address === null || anchor === undefined ? address : `${address}#${anchor}`;
  };
  const marked = new Marked({
    renderer: {
      code: codeBlock,
      // Omits comments, which mark the snippets that tests run.
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : text),
      heading({ depth, text, tokens }) {
        const label = plainText(text);
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = label;
          return `<h1>${inner}</h1>\n`;
        }
        const used = headings.filter(({ id }) => id.replace(/-\d+$/, '') === slugOf(label)).length;
        const id = used === 0 ? slugOf(label) : `${slugOf(label)}-${used}`;
        headings.push({ level: depth, id, text: label, excerpt: '' });
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(label)}">#</a></h${depth}>\n`;
      },
      paragraph({ text, tokens }) {
        const words = plainText(text);
        if (description === '' && words !== '') description = words;
        const heading = headings.at(-1);
        if (heading?.excerpt === '') heading.excerpt = words.slice(0, 160);
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = resolve(href);
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(resolve(href) ?? href)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: 'th' | 'td'): string =>
          row
            .map(cell => ({ name: cell.text === '' ? 'td' : tag, html: this.parser.parseInline(cell.tokens) }))
            .map(({ name, html: inner }) => `<${name}>${inner}</${name}>`)
            .join('');
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        return `<div class="table" role="group" aria-label="Table" tabindex="0"><table>${head}<tbody>\n${rows}\n</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, description, html, headings };
}
