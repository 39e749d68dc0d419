import { html, nothing, type TemplateResult } from 'lit';
import type { MarkdownInline, MarkdownNode } from '../../../report/markdown.js';
import { heading } from '../heading.js';

/** Draws a text: nodes become templates, never an HTML string. Its first headings have the level `level`. */
export function markdownTemplate(nodes: readonly MarkdownNode[], level: number): TemplateResult[] {
  return nodes.map(node => block(node, level));
}

function block(node: MarkdownNode, level: number): TemplateResult {
  switch (node.type) {
    case 'heading':
      return heading(level + node.depth - 1, nothing, inlines(node.children));
    case 'paragraph':
      return html`<p>${inlines(node.children)}</p>`;
    case 'list': {
      const items = node.items.map(item => html`<li>${item.map(child => tight(child, level))}</li>`);
      return node.ordered ? html`<ol start=${node.start}>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'code':
      return html`<pre tabindex="0"><code>${node.text}</code></pre>`;
    case 'blockquote':
      return html`<blockquote>${markdownTemplate(node.children, level)}</blockquote>`;
    case 'hr':
      return html`<hr />`;
    case 'table':
      return table(node);
  }
}

/** A line of a list is a paragraph to the parser and none to the eye. */
function tight(node: MarkdownNode, level: number): unknown {
  return node.type === 'paragraph' ? html`<span class="line">${inlines(node.children)}</span>` : block(node, level);
}

function table({ align, header, rows }: Extract<MarkdownNode, { type: 'table' }>): TemplateResult {
  const side = (column: number) => (align[column] === 'right' ? 'end' : (align[column] ?? nothing));
  return html`<table>
    <thead>
      <tr>
        ${header.map((cell, column) => html`<th scope="col" class=${side(column)}>${inlines(cell)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(row => html`<tr>${row.map((cell, column) => html`<td class=${side(column)}>${inlines(cell)}</td>`)}</tr>`)}
    </tbody>
  </table>`;
}

function inlines(nodes: readonly MarkdownInline[]): unknown[] {
  return nodes.map(inline);
}

function inline(node: MarkdownInline): unknown {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'codespan':
      return html`<code>${node.text}</code>`;
    case 'strong':
      return html`<strong>${inlines(node.children)}</strong>`;
    case 'em':
      return html`<em>${inlines(node.children)}</em>`;
    case 'del':
      return html`<del>${inlines(node.children)}</del>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return html`<a href=${node.href} title=${node.title ?? nothing} target="_blank" rel="noopener noreferrer"
        >${inlines(node.children)}</a
      >`;
  }
}
