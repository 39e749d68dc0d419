import type PdfDocument from 'pdfkit';
import type { PdfFont } from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { element, numberOf, type SvgElement } from '../scene/svg-element.js';
import { type FontWeight, isRightToLeft, startsFromRight } from '../scene/text-fitter.js';
import { visualWords } from './bidi.js';
import type { FontName } from './fonts.js';
import type { Matrix } from './matrix.js';
import type { RenderedPage } from './pages.js';
import { outlineSvg } from './png.js';
import type { RenderContext } from './render-context.js';
import { svgFile } from './svg-file.js';

const isolates = /[\u2066-\u2069]/g;
const defaultFontSize = 11;

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

/** Paints the text of pages: words that can be selected and searched, in the fonts that have their characters. */
export class PdfTexts {
  readonly #context: RenderContext;
  readonly #document: PdfDocument;
  readonly #registered = new Set<string>();
  #outlined: OutlinedText[] = [];

  constructor(context: RenderContext, document: PdfDocument) {
    this.#context = context;
    this.#document = document;
  }

  /** Paints a text element; `link` is the target of a link around it. */
  paint(node: SvgElement, matrix: Matrix, link: string | null, opacity = 1): void {
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
    const color = pdfColor(this.#context, style.fill);
    if (string.trim() === '' || !color || style.opacity === 0) return;
    if (isRightToLeft(string)) {
      this.#paintOutlined(given, place);
      return;
    }
    document.fillColor(color, style.opacity);
    this.#paintRuns(string, { left: x, y, style, link });
  }

  /** Paints a string. Each part uses the font that contains its characters. */
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
   * Paints right-to-left text invisibly, so that it can be selected and searched. Its outlines are drawn at the end of
   * the page, because pdfkit does not order mixed directions.
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
    // PDF readers order the words of a line by their position.
    for (const word of visualWords(string, isRtl ? 'rtl' : 'ltr')) {
      const own: TextStyle = { ...style, anchor: 'start' };
      this.#paintRuns(word, { left, y, style: own, link: null });
      left += fonts.width(`${word} `, { size, weight });
    }
    document.restore();
  }

  /** Draws the collected right-to-left text as outlines. */
  async paintOutlines(page: RenderedPage): Promise<void> {
    if (this.#outlined.length === 0) return;
    const { fonts } = this.#context;
    const nodes = this.#outlined.map(({ node, matrix }) =>
      element('g', { transform: `matrix(${matrix.join(' ')})` }, [node]),
    );
    this.#outlined = [];
    const file = svgFile(this.#context, page, { title: '', nodes });
    // Skip the first two children: the title and the background.
    const svg = await outlineSvg({ ...file, children: file.children.slice(2) }, fonts);
    this.#document.markContent('Artifact');
    svgToPdf(this.#document, svg, 0, 0, {
      width: page.width,
      height: page.height,
      assumePt: true,
      warningCallback: () => {},
    });
    this.#document.endMarkedContent();
  }

  /** Splits a string into parts of one font. */
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
}

/** Returns a color that pdfkit accepts; `null` if it is not an opaque color. */
export function pdfColor({ readColor }: RenderContext, css: string | number): string | readonly number[] | null {
  const color = String(css);
  return /^#[\da-f]{6}$/i.test(color) ? color : readColor(color);
}

/** Returns the text of an element for assistive technology, if the words of a page are not in reading order. */
export function readingOrder(node: SvgElement): { readonly actual?: string } {
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
