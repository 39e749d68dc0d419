import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type MarkdownNode, parseMarkdown } from '../../../report/markdown.js';
import { controls } from '../tokens.styles.js';
import { markdownTemplate } from './markdown-template.js';
import { textStyles } from './text.styles.js';

/**
 * A text of a dashboard: Markdown without HTML and without images.
 *
 * @summary A text, inside a tile.
 * @tagname pa-tile-text
 * @csspart text - The text.
 */
export class PaTileText extends LitElement {
  static override styles = [controls, textStyles];

  /** The text, in Markdown. */
  @property({ attribute: false }) markdown = '';
  /** Level of its first headings. */
  @property({ attribute: false }) level = 3;
  /** Called after the text was drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};

  /** The text is longer than its room: it scrolls, by keyboard too. */
  @state() private scrolls = false;

  #nodes: readonly MarkdownNode[] = [];
  #observer: ResizeObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => {
      this.scrolls = this.scrollHeight > this.clientHeight + 1;
    });
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('markdown')) this.#nodes = parseMarkdown(this.markdown);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.scrolls) this.setAttribute('tabindex', '0');
    else this.removeAttribute('tabindex');
    if (changed.has('markdown')) this.onDrawn();
  }

  override render(): TemplateResult {
    return html`<div part="text" class="text">${markdownTemplate(this.#nodes, this.level)}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-text': PaTileText;
  }
}
