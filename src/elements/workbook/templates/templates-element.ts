import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type EditorRestrictions, offeredMembers } from '../../../controllers/creator/editor-restrictions.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { type MemberSource, readModel } from '../../../report/explore/members.js';
import { type DashboardTemplate, overviewGroups, overviewTemplate } from '../../../report/explore/templates.js';
import { icon } from '../../creator/creator-icons.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';

/** Maximum number of overviews that are offered. */
const maxOverviews = 3;

/** A template that is offered. */
interface Offer {
  readonly template: DashboardTemplate;
  readonly name: string;
  /** The view of an overview; `null` for a template of the page. */
  readonly source: MemberSource | null;
}

const templatesStyles = css`
  :host {
    display: block;
    margin-block-start: 24px;
  }
  h3 {
    margin: 0 0 8px;
    color: var(--_muted);
    font: 400 12px/16px var(--_font);
    text-align: center;
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
    justify-content: center;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    flex: 0 1 260px;
  }
  button {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 10px;
    align-items: center;
    inline-size: 100%;
    block-size: 100%;
    padding: 12px;
    border-color: var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    text-align: start;
  }
  button:hover {
    border-color: var(--_accent);
  }
  button:disabled {
    opacity: 0.5;
  }
  strong {
    font: 600 14px/20px var(--_font);
    overflow-wrap: anywhere;
  }
  span {
    grid-column: 2;
    align-self: start;
    color: var(--_muted);
    font: 400 12px/16px var(--_font);
  }
`;

/**
 * Offers charts with which users start a dashboard: templates of the page, and an overview of each view.
 *
 * @summary The templates of an empty dashboard.
 * @tagname pa-templates
 */
class PaTemplates extends LitElement {
  static override styles = [controls, templatesStyles];

  readonly #model = new LoadController<'model', readonly MemberSource[]>(this, {
    source: () => this.source,
    key: () => (this.#hasOverviews ? 'model' : null),
    load: async (session, _key, signal) => readModel(await session.meta({ signal })),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /** Adds the charts of a template. Resolves when they are added, or could not be. */
  @property({ attribute: false }) onChoose: (template: DashboardTemplate) => Promise<void> = async () => {};

  @state() private isAdding = false;

  /** Aborts the requests of a choice when the element is removed. */
  #life = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#life = new AbortController();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  override render(): TemplateResult | typeof nothing {
    const { messages, restrictions } = this;
    const sources = offeredMembers(loadedValue(this.#model.state) ?? [], restrictions).slice(0, maxOverviews);
    const overviews = sources.flatMap(source => {
      const template = overviewTemplate(source, messages.templateTitle);
      return template ? [{ template, name: messages.overview(template.name), source }] : [];
    });
    const offered: readonly Offer[] = [
      ...(restrictions.templates ?? []).map(template => ({ template, name: template.name, source: null })),
      ...overviews,
    ];
    if (offered.length === 0) return nothing;
    return html`<h3 id="start">${messages.startFrom}</h3>
      <ul aria-labelledby="start">
        ${offered.map(
          offer => html`<li>
            <button type="button" ?disabled=${this.isAdding} @click=${() => this.#choose(offer)}>
              ${icon('board')} <strong dir="auto">${offer.name}</strong>
              ${offer.template.description ? html`<span dir="auto">${offer.template.description}</span>` : nothing}
            </button>
          </li>`,
        )}
      </ul>`;
  }

  get #hasOverviews(): boolean {
    return !this.restrictions.hiddenTools?.includes('templates');
  }

  async #choose({ template, source }: Offer): Promise<void> {
    this.isAdding = true;
    await this.onChoose(source ? await this.#withVariedGroups(template, source) : template);
    this.isAdding = false;
  }

  /** Returns an overview without dimensions that have a single value in the session, such as the user's region. */
  async #withVariedGroups(template: DashboardTemplate, source: MemberSource): Promise<DashboardTemplate> {
    const groups = overviewGroups(source);
    const counts = await Promise.all(groups.map(({ name }) => this.#countValues(name)));
    const single = new Set(groups.filter((_, index) => (counts[index] ?? 2) < 2));
    const members = source.members.filter(member => !single.has(member));
    return overviewTemplate({ ...source, members }, this.messages.templateTitle) ?? template;
  }

  /** Returns the number of values of a dimension, 2 at most; `null` if they cannot be loaded. */
  async #countValues(dimension: string): Promise<number | null> {
    try {
      const rowSet = await this.source?.load({ dimensions: [dimension], limit: 2 }, this.#life);
      return rowSet?.rows.length ?? null;
    } catch {
      // The chart of the dimension reports the failure.
      return null;
    }
  }
}

register('pa-templates', PaTemplates);

declare global {
  interface HTMLElementTagNameMap {
    'pa-templates': PaTemplates;
  }
}
