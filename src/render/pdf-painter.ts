import type PdfDocument from 'pdfkit';
import type { PdfStructure } from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { numberOf, type SvgAttributes, type SvgElement } from '../scene/svg-element.js';
import { childMatrix, identity, type Matrix, multiply } from './matrix.js';
import type { RenderedPage } from './pages.js';
import { PdfTexts, pdfColor, readingOrder } from './pdf-texts.js';
import type { RenderContext } from './render-context.js';
import { writeSvg } from './svg.js';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Paints pages into a PDF, with the structure for assistive technology. */
export class PdfPainter {
  readonly #context: RenderContext;
  readonly #document: PdfDocument;
  readonly #texts: PdfTexts;
  #section: ReturnType<PdfDocument['outline']['addItem']> | null = null;

  constructor(context: RenderContext, document: PdfDocument) {
    this.#context = context;
    this.#document = document;
    this.#texts = new PdfTexts(context, document);
  }

  /** Paints a page. The drawing is scaled to points. */
  async paintPage(page: RenderedPage, root: PdfStructure, scale: number): Promise<void> {
    const document = this.#document;
    const matrix: Matrix = [scale, 0, 0, scale, 0, 0];
    document.save();
    document.transform(...matrix);
    this.#artifact(() => {
      document.rect(0, 0, page.width, page.height).fillColor(this.#context.colors.page).fill();
    });
    for (const node of page.nodes) this.#paint(node, root, identity);
    await this.#texts.paintOutlines(page);
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
      const paint = () => this.#texts.paint(node, matrix, null);
      if (parent) parent.add(this.#document.struct('P', readingOrder(node), [paint]));
      else this.#texts.paint(node, matrix, null);
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
      if (link && child.tag === 'text' && !parent) this.#texts.paint(child, matrix, link);
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
    const fill = attributes.fill === 'none' ? null : pdfColor(this.#context, attributes.fill ?? '#000000');
    const stroke = attributes.stroke === undefined ? null : pdfColor(this.#context, attributes.stroke);
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
      if (child.tag === 'text') this.#texts.paint(child, inner, null, opacity);
      else this.#paintLabels(child, inner, opacity * numberOf(child.attributes.opacity, 1));
      if (own) this.#document.restore();
    }
  }
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
