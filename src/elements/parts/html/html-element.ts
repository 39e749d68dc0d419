import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { drawingProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import { createFormatter } from '../../../report/format/format.js';
import { type FilledHtml, fillHtml, type HtmlNode, readHtml } from '../../../report/html/html.js';
import { DrawingError } from '../../../report/table/report-columns.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';
import { htmlStyles } from './html.styles.js';
import { htmlMessages } from './html-messages.js';

const htmlCatalog = defineCatalog(htmlMessages, dashboardTranslations('html'));

/** Creates sanitized HTML element by element, without the browser's HTML parser. */
function drawHtml(nodes: readonly HtmlNode[], level: number): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes.map(node => draw(node, level)));
  return fragment;
}

function draw(node: HtmlNode, level: number): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const made = document.createElement(elementName(node.tag, level));
  for (const [name, value] of node.attributes) made.setAttribute(name, value);
  for (const [property, value] of node.style) made.style.setProperty(property, value);
  if (made instanceof HTMLAnchorElement && made.hasAttribute('href')) {
    made.target = '_blank';
    made.rel = 'noopener noreferrer nofollow';
  }
  made.append(...node.children.map(child => draw(child, level)));
  return made;
}

/** Returns the name of an element. Headings of the report start one level below the tile heading. */
function elementName(tag: string, level: number): string {
  const depth = /^h([1-6])$/.exec(tag)?.[1];
  return depth ? `h${Math.min(6, level + Number(depth))}` : tag;
}

/**
 * Renders an HTML report, filled with its rows, in its own shadow root. Only allowlisted elements and attributes are
 * created, and no scripts, forms, external URLs or custom style sheets.
 *
 * @summary An HTML report, inside a tile.
 * @tagname pa-tile-html
 * @csspart html - The content of the report.
 */
export class PaTileHtml extends LitElement {
  static override styles = [controls, htmlStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #ownLocale = new LocaleController(this, htmlCatalog, () => this.#outer.value.locale);

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Rows of the report; `null` while they load. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Name of the report. */
  @property({ attribute: false }) label = '';
  /** Level of the tile heading; headings of the report start one level below. */
  @property({ attribute: false }) level = 3;
  /** Called after each render. */
  @property({ attribute: false }) onRendered: () => void = () => {};
  /** Called if rendering fails. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};

  /** Whether the content overflows, so that the element needs to be scrollable with the keyboard. */
  @state() private scrolls = false;

  #filled: FilledHtml | null = null;
  #locale = '';
  #problem: Problem | null = null;
  #isNew = false;
  #observer: ResizeObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observe();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  protected override firstUpdated(): void {
    this.#observe();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { locale } = this.#ownLocale.value;
    const isOther = ['snapshot', 'rowSet', 'level'].some(name => changed.has(name as keyof PaTileHtml));
    if (!isOther && this.#locale === locale) return;
    this.#locale = locale;
    this.#filled = null;
    const { snapshot, rowSet } = this;
    if (!snapshot || !rowSet) return;
    try {
      const { preferences } = snapshot;
      this.#filled = fillHtml(readHtml(snapshot), rowSet, { formatter: createFormatter(locale), preferences });
      this.#isNew = true;
    } catch (error) {
      this.#problem = error instanceof DrawingError ? drawingProblem(error.message) : toProblem(error);
    }
  }

  protected override updated(): void {
    const problem = this.#problem;
    this.#problem = null;
    if (problem) this.onFailed(problem);
    this.#makeReachable();
    if (!this.#isNew) return;
    this.#isNew = false;
    this.renderRoot.querySelector('.html')?.replaceChildren(drawHtml(this.#filled?.nodes ?? [], this.level));
    this.onRendered();
  }

  override render(): TemplateResult {
    return html`<div part="html" class="html"></div>
      ${this.#renderNote()}`;
  }

  #renderNote(): TemplateResult | typeof nothing {
    const { locale, messages } = this.#ownLocale.value;
    const filled = this.#filled;
    const total = this.rowSet?.rows.length ?? 0;
    if (!filled) return nothing;
    const format = new Intl.NumberFormat(locale);
    const isShort = filled.repeated !== null && filled.repeated < total;
    const notes = [
      ...(isShort ? [messages.firstRows(format.format(filled.repeated ?? 0), format.format(total))] : []),
      ...(filled.isCut ? [messages.tooMuch] : []),
    ];
    return notes.length === 0 ? nothing : html`<p class="note" role="note">${notes.join(' · ')}</p>`;
  }

  /** Observes the box and its content, because either can change size. */
  #observe(): void {
    this.#observer?.observe(this);
    const content = this.renderRoot?.querySelector('.html');
    if (content) this.#observer?.observe(content);
  }

  #measure(): void {
    this.scrolls = this.scrollHeight > this.clientHeight + 1 || this.scrollWidth > this.clientWidth + 1;
  }

  #makeReachable(): void {
    const attributes = { tabindex: '0', role: 'group', 'aria-label': this.label };
    for (const [name, value] of Object.entries(attributes)) {
      if (this.scrolls) this.setAttribute(name, value);
      else this.removeAttribute(name);
    }
  }
}

register('pa-tile-html', PaTileHtml);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-html': PaTileHtml;
  }
}
