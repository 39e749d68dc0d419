import PdfDocument, { type PdfFont, type PdfStructure } from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { visualWords } from './bidi.js';
import { type FontName, type FontWeight, isRightToLeft, startsFromRight } from './fonts.js';
import { childMatrix, identity, type Matrix, multiply } from './matrix.js';
import type { DrawnPage, PageLayout, PageTexts } from './pages.js';
import { outlineSvg } from './png.js';
import type { RenderContext } from './render-context.js';
import { element, type SvgAttributes, type SvgElement, writeSvg } from './svg.js';
import { svgFile } from './svg-file.js';

/** Options of `writePdf`. */
interface PdfOptions {
  readonly layout: PageLayout;
  readonly texts: PageTexts;
}

/** Largest side of a PDF page in points. */
const maxSide = 14_400;
const isolates = /[\u2066-\u2069]/g;
const defaultFontSize = 11;

/** Writes pages as a PDF file with selectable text, structure and bookmarks. */
export async function writePdf(
  context: RenderContext,
  pages: readonly DrawnPage[],
  { layout, texts }: PdfOptions,
): Promise<Uint8Array> {
  const document = new PdfDocument({
    autoFirstPage: false,
    tagged: true,
    lang: context.locale,
    displayTitle: true,
    pdfVersion: '1.7',
    // Fonts are registered when they are needed. Opening one under two names would parse it for each string.
    font: null,
    info: { Title: context.fonts.drawable(texts.title), Creator: 'pa-embed', Producer: 'pa-embed' },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  const root = document.struct('Document');
  document.addStructure(root);
  const painter = new PdfPainter(context, document);
  for (const page of pages) {
    context.signal.throwIfAborted();
    const scale = Math.min(layout.scale, maxSide / page.height, maxSide / page.width);
    document.addPage({ size: [page.width * scale, page.height * scale], margin: 0 });
    await painter.paintPage(page, root, scale);
    await new Promise(resolve => setImmediate(resolve));
  }
  root.end();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

/** A string in the direction of its script, which is drawn as outlines. */
interface OutlinedText {
  readonly node: SvgElement;
  readonly matrix: Matrix;
}

/** Inherited properties of a string. */
interface TextStyle {
  readonly size: number;
  readonly weight: FontWeight;
  readonly fill: string;
  readonly opacity: number;
  readonly anchor: string;
}

class PdfPainter {
  readonly #context: RenderContext;
  readonly #document: PdfDocument;
  readonly #registered = new Set<string>();
  #outlined: OutlinedText[] = [];
  #section: ReturnType<PdfDocument['outline']['addItem']> | null = null;

  constructor(context: RenderContext, document: PdfDocument) {
    this.#context = context;
    this.#document = document;
  }

  async paintPage(page: DrawnPage, root: PdfStructure, scale: number): Promise<void> {
    const document = this.#document;
    const matrix: Matrix = [scale, 0, 0, scale, 0, 0];
    document.save();
    document.transform(...matrix);
    this.#artifact(() => {
      document.rect(0, 0, page.width, page.height).fillColor(this.#context.colors.page).fill();
    });
    for (const node of page.nodes) this.#paint(node, root, identity);
    await this.#paintOutlines(page);
    document.restore();
  }

  /**
   * Paints a node.
   * @param parent The element of the document structure that contains it; `null` within the content of an element.
   */
  #paint(node: SvgElement, parent: PdfStructure | null, matrix: Matrix): void {
    const own = childMatrix(node.attributes);
    const inner = own ? multiply(matrix, own) : matrix;
    const document = this.#document;
    if (own) {
      document.save();
      document.transform(...own);
    }
    this.#paintOwn(node, parent, inner);
    if (own) document.restore();
  }

  #paintOwn(node: SvgElement, parent: PdfStructure | null, matrix: Matrix): void {
    const { tag, attributes } = node;
    const role = attributes['pdf:role'];
    this.#bookmark(attributes);
    if (typeof role === 'string' && parent) this.#paintRole(node, role, { parent, matrix });
    else if (tag === 'g' || tag === 'a') this.#paintChildren(node, parent, matrix);
    else if (tag === 'text') {
      const paint = () => this.#paintText(node, matrix, null);
      if (parent) parent.add(this.#document.struct('P', readingOrder(node), [paint]));
      else this.#paintText(node, matrix, null);
    } else if (parent) this.#artifact(() => this.#paintShape(node, matrix));
    else this.#paintShape(node, matrix);
  }

  #paintRole(
    node: SvgElement,
    role: string,
    { parent, matrix }: { readonly parent: PdfStructure; readonly matrix: Matrix },
  ): void {
    const document = this.#document;
    if (role === 'Artifact') {
      this.#artifact(() => this.#paintChildren(node, null, matrix));
      return;
    }
    if (role === 'Table' || role === 'TR' || role === 'Sect') {
      const structure = document.struct(role);
      parent.add(structure);
      this.#paintChildren(node, structure, matrix);
      structure.end();
      return;
    }
    const alt = role === 'Figure' ? String(node.attributes['pdf:alt'] ?? '') : '';
    const options = alt ? { alt } : readingOrder(node);
    parent.add(document.struct(role, options, [() => this.#paintChildren(node, null, matrix)]));
  }

  #paintChildren(node: SvgElement, parent: PdfStructure | null, matrix: Matrix): void {
    const link = node.tag === 'a' ? String(node.attributes.href ?? '') : null;
    for (const child of node.children) {
      if (typeof child === 'string') continue;
      if (link && child.tag === 'text' && !parent) this.#paintText(child, matrix, link);
      else this.#paint(child, parent, matrix);
    }
  }

  #bookmark({ 'pdf:bookmark': title, 'pdf:level': level }: SvgAttributes): void {
    if (typeof title !== 'string') return;
    const name = this.#context.fonts.drawable(title);
    if (level === 1) this.#section = this.#document.outline.addItem(name, { expanded: true });
    else (this.#section ?? this.#document.outline).addItem(name);
  }

  /** Paints content that assistive technology skips. */
  #artifact(paint: () => void): void {
    this.#document.markContent('Artifact');
    paint();
    this.#document.endMarkedContent();
  }

  #paintShape(node: SvgElement, matrix: Matrix): void {
    const document = this.#document;
    const { attributes, tag } = node;
    if (tag === 'svg') {
      this.#paintChart(node, matrix);
      return;
    }
    const fill = attributes.fill === 'none' ? null : this.#color(attributes.fill ?? '#000000');
    const stroke = attributes.stroke === undefined ? null : this.#color(attributes.stroke);
    if (!fill && !stroke) return;
    if (!this.#outline(node)) return;
    const opacity = numberOf(attributes.opacity, 1);
    if (fill) document.fillColor(fill, opacity * numberOf(attributes['fill-opacity'], 1));
    if (stroke) {
      document.lineWidth(numberOf(attributes['stroke-width'], 1));
      document.lineJoin(String(attributes['stroke-linejoin'] ?? 'miter'));
      document.lineCap(String(attributes['stroke-linecap'] ?? 'butt'));
      document.strokeColor(stroke, opacity * numberOf(attributes['stroke-opacity'], 1));
    }
    if (fill && stroke) document.fillAndStroke();
    else if (fill) document.fill();
    else document.stroke();
  }

  /** Adds the outline of a shape to the current path. */
  #outline({ tag, attributes }: SvgElement): boolean {
    const document = this.#document;
    const at = (name: string): number => numberOf(attributes[name], 0);
    switch (tag) {
      case 'rect': {
        const radius = Math.min(at('rx'), at('width') / 2, at('height') / 2);
        if (radius > 0) document.roundedRect(at('x'), at('y'), at('width'), at('height'), radius);
        else document.rect(at('x'), at('y'), at('width'), at('height'));
        return true;
      }
      case 'circle':
        document.circle(at('cx'), at('cy'), at('r'));
        return true;
      case 'path':
        if (attributes.d) document.path(String(attributes.d));
        return Boolean(attributes.d);
      default:
        return false;
    }
  }

  /** Paints the shapes of a chart, then its labels as text. */
  #paintChart(node: SvgElement, matrix: Matrix): void {
    const document = this.#document;
    const [width, height] = [numberOf(node.attributes.width, 1), numberOf(node.attributes.height, 1)];
    const shapes: SvgElement = { ...withoutText(node), attributes: { ...node.attributes, xmlns: svgNamespace } };
    document.save();
    svgToPdf(document, writeSvg(shapes), 0, 0, { width, height, assumePt: true, warningCallback: () => {} });
    document.restore();
    const [, , boxWidth = width] = String(node.attributes.viewBox ?? '')
      .split(' ')
      .map(Number);
    const scale = width / boxWidth;
    const own: Matrix = [scale, 0, 0, scale, 0, 0];
    document.save();
    document.transform(...own);
    this.#paintLabels(node, multiply(matrix, own), 1);
    document.restore();
  }

  #paintLabels(node: SvgElement, matrix: Matrix, opacity: number): void {
    for (const child of node.children) {
      if (typeof child === 'string' || child.tag === 'defs' || child.attributes.display === 'none') continue;
      const own = childMatrix(child.attributes);
      const inner = own ? multiply(matrix, own) : matrix;
      if (own) {
        this.#document.save();
        this.#document.transform(...own);
      }
      if (child.tag === 'text') this.#paintText(child, inner, null, opacity);
      else this.#paintLabels(child, inner, opacity * numberOf(child.attributes.opacity, 1));
      if (own) this.#document.restore();
    }
  }

  #paintText(node: SvgElement, matrix: Matrix, link: string | null, opacity = 1): void {
    const { attributes, children } = node;
    const style: TextStyle = {
      size: Number.parseFloat(String(attributes['font-size'] ?? defaultFontSize)),
      weight: Number(attributes['font-weight']) >= 600 ? 600 : 400,
      fill: String(attributes.fill ?? '#000000'),
      opacity: opacity * numberOf(attributes.opacity, 1) * numberOf(attributes['fill-opacity'], 1),
      anchor: String(attributes['text-anchor'] ?? 'start'),
    };
    let [x, y] = [numberOf(attributes.x, 0), numberOf(attributes.y, 0)];
    for (const child of children) {
      if (typeof child === 'string') this.#paintString(child, { x, y, style, matrix, link });
      else {
        x = numberOf(child.attributes.x, x);
        y += numberOf(child.attributes.dy, 0);
        const line = child.children.find(part => typeof part === 'string');
        if (typeof line === 'string') this.#paintString(line, { x, y, style, matrix, link });
      }
    }
  }

  #paintString(
    given: string,
    place: {
      readonly x: number;
      readonly y: number;
      readonly style: TextStyle;
      readonly matrix: Matrix;
      readonly link: string | null;
    },
  ): void {
    const { x, y, style, link } = place;
    const document = this.#document;
    const string = given.replace(isolates, '');
    const color = this.#color(style.fill);
    if (string.trim() === '' || !color || style.opacity === 0) return;
    if (isRightToLeft(string)) {
      this.#paintOutlined(given, place);
      return;
    }
    document.fillColor(color, style.opacity);
    this.#paintRuns(string, { left: x, y, style, link });
  }

  /** Paints a string, each part of it in the font that has its characters. */
  #paintRuns(
    string: string,
    { left, y, style, link }: { left: number; y: number; readonly style: TextStyle; readonly link: string | null },
  ): void {
    const document = this.#document;
    const runs = this.#runsOf(string, style.weight);
    document.fontSize(style.size);
    const widths = runs.map(({ font, text }) => document.font(font).widthOfString(text));
    const width = widths.reduce((total, each) => total + each, 0);
    let x = left - width * ({ middle: 0.5, end: 1 }[style.anchor] ?? 0);
    for (const [index, { font, text }] of runs.entries()) {
      const options = { lineBreak: false, baseline: 'alphabetic' } as const;
      document.font(font).text(text, x, y, link ? { ...options, link } : options);
      x += widths[index] ?? 0;
    }
  }

  /**
   * Right-to-left text is drawn as outlines at the end of the page, because pdfkit does not order mixed
   * directions. Here it becomes invisible text that can be selected and searched.
   */
  #paintOutlined(
    given: string,
    {
      x,
      y,
      style,
      matrix,
    }: { readonly x: number; readonly y: number; readonly style: TextStyle; readonly matrix: Matrix },
  ): void {
    const document = this.#document;
    const string = given.replace(isolates, '');
    const { fonts } = this.#context;
    const { size, weight, fill, opacity, anchor } = style;
    this.#outlined.push({
      node: element(
        'text',
        { x, y, 'font-size': size, 'font-weight': weight, fill, 'fill-opacity': opacity, 'text-anchor': anchor },
        [given],
      ),
      matrix,
    });
    const width = fonts.width(string, { size, weight });
    let left = x - width * ({ middle: 0.5, end: 1 }[anchor] ?? 0);
    const isRtl = this.#context.direction === 'rtl' || startsFromRight(string);
    document.save();
    document.addContent('3 Tr');
    document.fontSize(size);
    // Readers order the words of a line by their position.
    for (const word of visualWords(string, isRtl ? 'rtl' : 'ltr')) {
      const own: TextStyle = { ...style, anchor: 'start' };
      this.#paintRuns(word, { left, y, style: own, link: null });
      left += fonts.width(`${word} `, { size, weight });
    }
    document.restore();
  }

  /** Draws the collected right-to-left text as outlines. */
  async #paintOutlines(page: DrawnPage): Promise<void> {
    if (this.#outlined.length === 0) return;
    const { fonts } = this.#context;
    const nodes = this.#outlined.map(({ node, matrix }) =>
      element('g', { transform: `matrix(${matrix.join(' ')})` }, [node]),
    );
    this.#outlined = [];
    const file = svgFile(this.#context, page, { title: '', nodes });
    // Without the title and the background.
    const svg = await outlineSvg(writeSvg({ ...file, children: file.children.slice(2) }), fonts);
    this.#artifact(() => {
      svgToPdf(this.#document, svg, 0, 0, {
        width: page.width,
        height: page.height,
        assumePt: true,
        warningCallback: () => {},
      });
    });
  }

  /** Divides a string into parts of one font. */
  #runsOf(string: string, weight: FontWeight): { font: string; text: string }[] {
    const { fonts } = this.#context;
    const runs: { font: string; text: string }[] = [];
    for (const character of string) {
      const font = this.#font(fonts.familyOf(character) ?? 'latin', weight);
      const last = runs.at(-1);
      if (last?.font === font) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  }

  #font(name: FontName, weight: FontWeight): string {
    const key = `${name}-${weight}`;
    if (!this.#registered.has(key)) {
      this.#document.registerFont(key, this.#context.fonts.path(name, weight));
      this.#registered.add(key);
      if (name === 'arabic') drawUnshaped(this.#document.font(key)._font);
    }
    return key;
  }

  #color(css: string | number): string | readonly number[] | null {
    const color = String(css);
    return /^#[\da-f]{6}$/i.test(color) ? color : this.#context.readColor(color);
  }
}

/** The text of an element for assistive technology, if the words of a page are not in reading order. */
function readingOrder(node: SvgElement): { readonly actual?: string } {
  const text = stringsOf(node).join(' ').replace(isolates, '');
  return isRightToLeft(text) ? { actual: text } : {};
}

function stringsOf({ children }: SvgElement): string[] {
  return children.flatMap(child => (typeof child === 'string' ? [child] : stringsOf(child)));
}

/**
 * Makes a font draw one glyph per character, without shaping. Shaped Arabic letters share glyphs, so that the invisible
 * text could not be copied.
 */
function drawUnshaped(font: PdfFont): void {
  const scale = 1_000 / font.font.unitsPerEm;
  font.layoutRun = text => {
    const glyphs = Array.from(text, character => font.font.glyphForCodePoint(character.codePointAt(0) ?? 0));
    const positions = glyphs.map(glyph => {
      const advanceWidth = glyph.advanceWidth * scale;
      return { xAdvance: advanceWidth, advanceWidth, xOffset: 0, yOffset: 0 };
    });
    return { glyphs, positions, advanceWidth: positions.reduce((total, { advanceWidth: own }) => total + own, 0) };
  };
}

const svgNamespace = 'http://www.w3.org/2000/svg';

function numberOf(value: string | number | undefined, fallback: number): number {
  const number = typeof value === 'number' ? value : Number.parseFloat(value ?? '');
  return Number.isFinite(number) ? number : fallback;
}

function withoutText(node: SvgElement): SvgElement {
  return {
    ...node,
    children: node.children.flatMap(child => {
      if (typeof child === 'string') return [];
      return child.tag === 'text' ? [] : [withoutText(child)];
    }),
  };
}
