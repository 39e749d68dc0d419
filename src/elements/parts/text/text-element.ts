import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { parseMarkdown } from '../../../report/markdown/markdown.js';
import { register } from '../../register.js';
import { drawMarkdown } from '../markdown/draw-markdown.js';
import { markdownStyles } from '../markdown/markdown.styles.js';
import { controls } from '../tokens.styles.js';

/** Styles of a text widget. */
const textStyles = css`
  :host {
    display: block;
    overflow: auto;
    scrollbar-width: thin;
  }
`;

/**
 * Renders a text widget of a dashboard: Markdown without HTML or images.
 *
 * @summary A text widget, inside a tile.
 * @tagname pa-tile-text
 * @csspart text - The text.
 */
export class PaTileText extends LitElement {
  static override styles = [controls, markdownStyles, textStyles];

  /** The text, in Markdown. */
  @property({ attribute: false }) markdown = '';
  /** Level of its first headings. */
  @property({ attribute: false }) level = 3;
  /** Called after each render. */
  @property({ attribute: false }) onRendered: () => void = () => {};

  /** Whether the content overflows, so that the element needs to be scrollable with the keyboard. */
  @state() private scrolls = false;

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

  protected override updated(changed: PropertyValues<this>): void {
    if (this.scrolls) this.setAttribute('tabindex', '0');
    else this.removeAttribute('tabindex');
    if (changed.has('markdown') || changed.has('level')) this.#draw();
    if (changed.has('markdown')) this.onRendered();
  }

  override render(): TemplateResult {
    return html`<div part="text" class="markdown"></div>`;
  }

  #draw(): void {
    const style = { level: this.level, imageOrigins: [], labels: null };
    const nodes = parseMarkdown(this.markdown).map(node => drawMarkdown(node, style));
    this.renderRoot.querySelector('.markdown')?.replaceChildren(...nodes);
  }
}

register('pa-tile-text', PaTileText);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-text': PaTileText;
  }
}
