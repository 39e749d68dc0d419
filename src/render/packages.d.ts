// Types for the renderer's dependencies that ship none. They cover only what this package uses.

declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    /** Font units. */
    readonly advanceWidth: number;
  }
  export interface Font {
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
  }
  export function openSync(path: string): Font;
}

declare module 'pdfkit' {
  import type { Readable } from 'node:stream';
  import type { Font, Glyph } from 'fontkit';

  export interface PdfOutlineItem {
    addItem(title: string, options?: { readonly expanded?: boolean }): PdfOutlineItem;
  }
  export interface PdfStructure {
    add(child: PdfStructure | (() => void)): this;
    end(): void;
  }
  export interface PdfStructureOptions {
    readonly title?: string;
    readonly lang?: string;
    readonly alt?: string;
    readonly actual?: string;
  }
  /** Glyphs of a string, in units of a thousandth of the font size. */
  export interface PdfGlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly {
      readonly xAdvance: number;
      readonly advanceWidth: number;
      readonly xOffset: number;
      readonly yOffset: number;
    }[];
    readonly advanceWidth: number;
  }
  export interface PdfFont {
    readonly font: Font;
    layoutRun(text: string): PdfGlyphRun;
  }
  export interface PdfDocumentOptions {
    readonly autoFirstPage?: boolean;
    readonly margin?: number;
    readonly size?: readonly [number, number];
    readonly tagged?: boolean;
    readonly lang?: string;
    readonly displayTitle?: boolean;
    readonly pdfVersion?: string;
    readonly font?: string | null;
    readonly info?: Readonly<Record<string, string | Date>>;
  }
  export interface PdfTextOptions {
    readonly lineBreak?: boolean;
    readonly width?: number;
    readonly link?: string;
    readonly baseline?: 'alphabetic';
    readonly characterSpacing?: number;
    readonly features?: Readonly<Record<string, boolean>>;
  }
  export default class PdfDocument extends Readable {
    constructor(options?: PdfDocumentOptions);
    readonly outline: PdfOutlineItem;
    /** The current font. */
    readonly _font: PdfFont;
    addPage(options?: PdfDocumentOptions): this;
    registerFont(name: string, path: string): this;
    font(name: string): this;
    fontSize(size: number): this;
    widthOfString(text: string, options?: PdfTextOptions): number;
    text(text: string, x: number, y: number, options?: PdfTextOptions): this;
    link(x: number, y: number, width: number, height: number, url: string): this;
    save(): this;
    restore(): this;
    transform(a: number, b: number, c: number, d: number, e: number, f: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    circle(x: number, y: number, radius: number): this;
    path(data: string): this;
    clip(): this;
    lineWidth(width: number): this;
    lineJoin(join: string): this;
    lineCap(cap: string): this;
    dash(length: number, options?: { readonly space?: number }): this;
    fillColor(color: string | readonly number[], opacity?: number): this;
    fillOpacity(opacity: number): this;
    strokeColor(color: string | readonly number[], opacity?: number): this;
    fill(): this;
    stroke(): this;
    fillAndStroke(): this;
    struct(
      type: string,
      options: PdfStructureOptions,
      children?: readonly (PdfStructure | (() => void))[],
    ): PdfStructure;
    struct(type: string, children?: readonly (PdfStructure | (() => void))[] | (() => void)): PdfStructure;
    addStructure(structure: PdfStructure): this;
    markContent(tag: string, options?: PdfStructureOptions | { readonly type: string }): this;
    endMarkedContent(): this;
    addContent(content: string): this;
    end(): void;
  }
}

declare module 'svg-to-pdfkit' {
  import type PdfDocument from 'pdfkit';

  export interface SvgToPdfOptions {
    readonly width?: number;
    readonly height?: number;
    readonly assumePt?: boolean;
    readonly preserveAspectRatio?: string;
    readonly warningCallback?: (message: string) => void;
  }
  export default function SVGtoPDF(
    doc: PdfDocument,
    svg: string,
    x: number,
    y: number,
    options?: SvgToPdfOptions,
  ): void;
}
