import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type EditorRestrictions, offeredMembers } from '../../../controllers/creator/editor-restrictions.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { type MemberSource, readModel } from '../../../report/explore/members.js';
import { type DashboardTemplate, overviewTemplate } from '../../../report/explore/templates.js';
import { icon } from '../../creator/creator-icons.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';

/** Maximum number of overviews that are offered. */
const maxOverviews = 3;

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

  override render(): TemplateResult | typeof nothing {
    const { messages, restrictions } = this;
    const sources = offeredMembers(loadedValue(this.#model.state) ?? [], restrictions).slice(0, maxOverviews);
    const overviews = sources.flatMap(source => overviewTemplate(source, messages.templateTitle) ?? []);
    const templates = [
      ...(restrictions.templates ?? []),
      ...overviews.map(each => ({ ...each, name: messages.overview(each.name) })),
    ];
    if (templates.length === 0) return nothing;
    return html`<h3 id="start">${messages.startFrom}</h3>
      <ul aria-labelledby="start">
        ${templates.map(
          template => html`<li>
            <button type="button" ?disabled=${this.isAdding} @click=${() => this.#choose(template)}>
              ${icon('board')} <strong dir="auto">${template.name}</strong>
              ${template.description ? html`<span dir="auto">${template.description}</span>` : nothing}
            </button>
          </li>`,
        )}
      </ul>`;
  }

  get #hasOverviews(): boolean {
    return !this.restrictions.hiddenTools?.includes('templates');
  }

  async #choose(template: DashboardTemplate): Promise<void> {
    this.isAdding = true;
    await this.onChoose(template);
    this.isAdding = false;
  }
}

register('pa-templates', PaTemplates);

declare global {
  interface HTMLElementTagNameMap {
    'pa-templates': PaTemplates;
  }
}
