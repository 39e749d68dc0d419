import { html, type TemplateResult } from 'lit';
import { textWidth } from '../../../report/text-width.js';
import type { ColumnText, TextStyle } from './columns.js';

/** Most texts that are measured at once; others are estimated. */
const maxMeasured = 400;

/**
 * Widths of texts as the table writes them. All digits are as wide as one another, so figures of the same form are measured once. A text
 * that was not measured yet has an estimated width and is put into the probes, which `measure()` reads together.
 */
export class TextWidths {
  readonly #known = new Map<string, number>();
  readonly #asked = new Map<string, ColumnText>();
  #digits = 0;

  /** Width of a text, px. */
  of({ text, style }: ColumnText): number {
    if (text === '') return 0;
    const form = text.replace(/\d/g, '0');
    const key = `${style} ${form}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#asked.size < maxMeasured) this.#asked.set(key, { text: form, style });
    return estimate(form, style);
  }

  /** Width of a digit, px. */
  get digit(): number {
    return this.of({ text: '0000000000', style: 'body' }) / 10;
  }

  /** The texts to measure, written as in cells, out of sight. */
  render(): TemplateResult {
    return html`<div class="probes" aria-hidden="true">
      ${[...this.#asked].map(([key, { text, style }]) => html`<span class=${style} data-key=${key}>${text}</span>`)}
      <span class="body digits">0000000000</span>
    </div>`;
  }

  /** Reads the probes that were drawn; true if a width is another than was assumed. */
  measure(root: ParentNode): boolean {
    const digits = root.querySelector('.digits')?.getBoundingClientRect().width ?? 0;
    if (digits === 0) return false;
    const isOther = digits !== this.#digits;
    // In another font all that was measured is wrong.
    if (isOther && this.#digits > 0) this.#known.clear();
    this.#digits = digits;
    const probes = [...root.querySelectorAll<HTMLElement>('.probes > [data-key]')];
    const widths = probes.map(probe => probe.getBoundingClientRect().width);
    probes.forEach(({ dataset }, index) => {
      const key = dataset.key ?? '';
      this.#known.set(key, widths[index] ?? 0);
      this.#asked.delete(key);
    });
    return isOther || probes.length > 0;
  }
}

function estimate(text: string, style: TextStyle): number {
  const size = style === 'heading' ? 12 : 13;
  return (textWidth(text) * size * (style === 'total' ? 1.08 : 1)) / 12;
}
