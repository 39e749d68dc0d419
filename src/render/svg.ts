import { Parser } from 'htmlparser2';
import { element, type SvgElement, type SvgNode } from '../scene/svg-element.js';

/** Characters that XML does not allow, and those that reorder the text around them. */
const notWritten = /[^\t\n\r\u0020-\u2029\u202f-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Matches text that needs no escaping: most attributes of drawings, such as numbers, colors and paths. */
const plain = /^[\w .,()#+-]*$/;

function escaped(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(notWritten, '').replace(/[&<>"]/g, sign => escapes[sign] ?? sign);
}

/** Writes a drawing as SVG text. All text and attributes are escaped. */
export function writeSvg(node: SvgNode): string {
  if (typeof node === 'string') return escaped(node);
  const { tag, children } = node;
  const open = openTag(node);
  if (children.length === 0) return `${open}/>`;
  return `${open}>${children.map(writeSvg).join('')}</${tag}>`;
}

const voidTags = new Set(['br', 'hr', 'meta']);

/** Writes an element as HTML text, which may contain drawings. All text and attributes are escaped. */
export function writeHtml(node: SvgNode): string {
  if (typeof node === 'string') return escaped(node);
  const { tag, children } = node;
  if (voidTags.has(tag)) return `${openTag(node)}>`;
  return `${openTag(node)}>${children.map(writeHtml).join('')}</${tag}>`;
}

function openTag({ tag, attributes }: SvgElement): string {
  let text = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && !name.startsWith('pdf:')) text += ` ${name}="${escaped(String(value))}"`;
  }
  return text;
}

/** Elements of drawings. Anything else, such as scripts and styles, is dropped with its content. */
const allowedTags = new Set([
  'svg',
  'g',
  'path',
  'rect',
  'circle',
  'line',
  'text',
  'tspan',
  'defs',
  'clipPath',
  'linearGradient',
  'radialGradient',
  'stop',
  'a',
]);
/** Attributes that have no use in a file, or could refer to something outside of it. */
const droppedAttributes = /^(?:on|aria-|role$|class$|style$|tabindex$|xlink:|href$|xmlns)/i;

/** Parses SVG text that Vega wrote. */
export function readSvg(text: string): SvgElement {
  const root: { children: SvgNode[] } = { children: [] };
  const open: (SvgNode[] | null)[] = [root.children];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const siblings = open.at(-1) ?? null;
        if (siblings === null || !allowedTags.has(tag)) {
          open.push(null);
          return;
        }
        const children: SvgNode[] = [];
        const kept = Object.entries(attributes).filter(([name]) => !droppedAttributes.test(name));
        siblings.push({ tag, attributes: Object.fromEntries(kept), children });
        open.push(children);
      },
      onclosetag() {
        open.pop();
      },
      ontext(content) {
        open.at(-1)?.push(content);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  const found = root.children.find(node => typeof node !== 'string');
  return typeof found === 'object' ? found : element('svg', {});
}
