import type { HtmlNode } from '../../../report/html.js';

/** Draws what is left of HTML, element by element: nothing is handed to a browser's parser. */
export function drawHtml(nodes: readonly HtmlNode[], level: number): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes.map(node => draw(node, level)));
  return fragment;
}

function draw(node: HtmlNode, level: number): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const made = document.createElement(elementName(node.tag, level));
  for (const [name, value] of node.attributes) made.setAttribute(name, value);
  for (const [property, value] of node.style) made.style.setProperty(property, value);
  if (made instanceof HTMLAnchorElement && made.hasAttribute('href')) {
    made.target = '_blank';
    made.rel = 'noopener noreferrer nofollow';
  }
  made.append(...node.children.map(child => draw(child, level)));
  return made;
}

/** Headings go on where the tile's own heading ends. */
function elementName(tag: string, level: number): string {
  const depth = /^h([1-6])$/.exec(tag)?.[1];
  return depth ? `h${Math.min(6, level + Number(depth))}` : tag;
}
