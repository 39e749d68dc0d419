import type { MarkdownNode } from '../../../report/markdown/markdown-nodes.js';

/** Options for rendering Markdown. */
export interface MarkdownStyle {
  /** Level of top-level headings. */
  readonly level: number;
  /** Origins that images may load from; images from other origins are shown as their description. */
  readonly imageOrigins: readonly string[];
  /** Labels of the button that copies code. If not set, there is no button. */
  readonly labels: MarkdownLabels | null;
}

/** Labels of the button that copies code. */
export interface MarkdownLabels {
  readonly copy: string;
  readonly copied: string;
}

/** HTML tags of node types whose name differs from the tag. */
const tags: Readonly<Record<string, string>> = {
  codespan: 'code',
  link: 'a',
  paragraph: 'p',
  item: 'li',
  row: 'tr',
  head: 'th',
  cell: 'td',
};

/** Renders a node by creating elements, never from HTML. */
export function drawMarkdown(node: MarkdownNode, style: MarkdownStyle): Node {
  if (node.type === 'text') return document.createTextNode(node.text);
  if (node.type === 'image') return image(node.src, node.text, style);
  const drawn = frame(node, style);
  if ('children' in node)
    for (const child of node.children) hostOf(drawn, node).appendChild(drawMarkdown(child, style));
  return drawn;
}

/**
 * Updates the last children of `host` from the rendering of `before` to that of `after`. Unchanged nodes are not
 * touched.
 */
export function redrawMarkdown(
  host: Node,
  before: readonly MarkdownNode[],
  after: readonly MarkdownNode[],
  style: MarkdownStyle,
): void {
  // Walks by sibling, because finding a child by its index takes time proportional to the number of children.
  let next = before.length ? host.lastChild : null;
  for (let index = 1; index < before.length; index++) next = next?.previousSibling ?? null;
  for (const [index, node] of after.entries()) {
    const old = before[index];
    const drawn = next;
    next = drawn?.nextSibling ?? null;
    if (!old || !drawn) host.appendChild(drawMarkdown(node, style));
    else if (!tryUpdateNode(drawn, old, node, style)) host.replaceChild(drawMarkdown(node, style), drawn);
  }
  while (next) {
    const gone = next;
    next = gone.nextSibling;
    gone.remove();
  }
}

/** Returns whether a rendered node could be updated in place. */
function tryUpdateNode(drawn: Node, old: MarkdownNode, node: MarkdownNode, style: MarkdownStyle): boolean {
  if (drawn instanceof Text && node.type === 'text' && old.type === 'text') {
    if (!node.text.startsWith(old.text)) drawn.data = node.text;
    else if (node.text !== old.text) drawn.appendData(node.text.slice(old.text.length));
    return true;
  }
  for (const [name, value] of Object.entries(node)) {
    if (name !== 'children' && value !== Reflect.get(old, name)) return false;
  }
  if ('children' in node && 'children' in old) redrawMarkdown(hostOf(drawn, node), old.children, node.children, style);
  return true;
}

/** Returns the element that contains the children of a node. */
function hostOf(drawn: Node, { type }: MarkdownNode): Node {
  const host = type === 'code' ? drawn.lastChild?.firstChild : type === 'table' && drawn.firstChild;
  return host || drawn;
}

/** Renders a node without its children. */
function frame(node: MarkdownNode, { level, labels }: MarkdownStyle): HTMLElement {
  switch (node.type) {
    case 'heading': {
      const depth = Math.min(6, Math.max(1, level + node.depth - 1));
      return element(`h${depth}`, { part: 'heading', dir: 'auto' });
    }
    case 'list':
      return node.ordered ? element('ol', { start: `${node.start}` }) : element('ul');
    case 'code':
      return code(node.language, labels);
    case 'table':
      return element(
        'div',
        { class: 'wide', part: 'markdown-table', tabindex: '0' },
        element('table', { dir: 'auto' }),
      );
    case 'link': {
      const link = element('a', { href: node.href, target: '_blank', rel: 'noopener noreferrer nofollow' });
      if (node.title) link.title = node.title;
      return link;
    }
    case 'head':
    case 'cell': {
      // Header cells determine the direction of the table. They have no `dir`, because the browser ignores content that
      // has one.
      const cell = element(tags[node.type] ?? '', node.type === 'head' ? {} : { dir: 'auto' });
      if (node.align) cell.className = node.align === 'right' ? 'end' : node.align;
      return cell;
    }
    case 'codespan':
      return element('code', {}, node.text);
    case 'paragraph':
    case 'item':
    case 'blockquote':
      return element(tags[node.type] ?? node.type, { dir: 'auto' });
    default:
      return element(tags[node.type] ?? node.type);
  }
}

function code(language: string | null, labels: MarkdownLabels | null): HTMLElement {
  const text = element('code');
  const block = element('div', { class: 'code', part: 'code' });
  if (labels) {
    const copy = element('button', { type: 'button', part: 'copy', 'aria-live': 'polite' }, labels.copy);
    copy.addEventListener('click', () => {
      // If clipboard access is denied, the code can still be selected.
      navigator.clipboard?.writeText(text.textContent ?? '').then(
        () => copy.replaceChildren(labels.copied),
        () => {},
      );
    });
    copy.addEventListener('blur', () => copy.replaceChildren(labels.copy));
    block.append(element('div', { class: 'bar' }, element('span', {}, language ?? ''), copy));
  }
  block.append(element('pre', { tabindex: '0', dir: 'ltr' }, text));
  return block;
}

function image(src: string | null, alt: string, { imageOrigins }: MarkdownStyle): Node {
  const base = document.baseURI;
  const allowed = src !== null && URL.canParse(src, base) && imageOrigins.includes(new URL(src, base).origin);
  if (!allowed) return document.createTextNode(alt);
  return element('img', { loading: 'lazy', referrerpolicy: 'no-referrer', alt, src });
}

function element(tag: string, attributes: Readonly<Record<string, string>> = {}, ...content: (Node | string)[]) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}
