import { html, type TemplateResult } from 'lit';
import { textWidth } from '../../../report/format/text-width.js';
import type { MeasuredTexts } from '../../../report/table/column-layout.js';
import type { ColumnText, TextStyle } from '../../../report/table/column-needs.js';

/** Maximum number of strings to measure at once; the widths of the others are estimated. */
const maxMeasured = 400;

/**
 * Measures the widths of strings as the table renders them. All digits have the same width, so numbers with the same
 * format are measured once. An unmeasured text gets an estimated width and a probe element. `measure()` reads all
 * probes together.
 */
export class TextWidths implements MeasuredTexts {
  readonly #known = new Map<string, number>();
  readonly #pending = new Map<string, ColumnText>();
  #digits = 0;

  /** Returns the width of a string, in px. */
  of({ text, style }: ColumnText): number {
    if (text === '') return 0;
    const form = text.replace(/\d/g, '0');
    const key = `${style} ${form}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#pending.size < maxMeasured) this.#pending.set(key, { text: form, style });
    return estimate(form, style);
  }

  /** Width of a digit, in px. */
  get digit(): number {
    return this.of({ text: '0000000000', style: 'body' }) / 10;
  }

  /** Renders the strings to measure, visually hidden and styled like cells. */
  render(): TemplateResult {
    return html`<div class="probes" aria-hidden="true">
      ${[...this.#pending].map(([key, { text, style }]) => html`<span class=${style} data-key=${key}>${text}</span>`)}
      <span class="body digits">0000000000</span>
    </div>`;
  }

  /** Reads the rendered probes. Returns true if a width differs from the assumed one. */
  measure(root: ParentNode): boolean {
    const digits = root.querySelector('.digits')?.getBoundingClientRect().width ?? 0;
    if (digits === 0) return false;
    const isOther = digits !== this.#digits;
    // A different font invalidates all measured widths.
    if (isOther && this.#digits > 0) this.#known.clear();
    this.#digits = digits;
    const probes = [...root.querySelectorAll<HTMLElement>('.probes > [data-key]')];
    const widths = probes.map(probe => probe.getBoundingClientRect().width);
    probes.forEach(({ dataset }, index) => {
      const key = dataset.key ?? '';
      this.#known.set(key, widths[index] ?? 0);
      this.#pending.delete(key);
    });
    return isOther || probes.length > 0;
  }
}

function estimate(text: string, style: TextStyle): number {
  const size = style === 'heading' ? 12 : 13;
  return (textWidth(text) * size * (style === 'total' ? 1.08 : 1)) / 12;
}
