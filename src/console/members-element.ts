import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Member, type MemberKind, type MemberSource, searchMembers } from '../report/explore/members.js';
import { formStyles } from './form.styles.js';
import { membersStyles } from './members.styles.js';

const headings: Readonly<Record<MemberKind, string>> = {
  measure: 'Measures',
  time: 'Time dimensions',
  dimension: 'Dimensions',
  segment: 'Segments',
};
const kinds: readonly MemberKind[] = ['measure', 'time', 'dimension', 'segment'];

/**
 * Picks members of the model: a search field, and a checkbox per member with a button that adds a filter.
 *
 * @summary The member picker of the playground.
 * @tagname pa-console-members
 */
export class PaConsoleMembers extends LitElement {
  static override styles = [formStyles, membersStyles];

  /** The model as the session sees it. */
  @property({ attribute: false }) sources: readonly MemberSource[] = [];
  /** Names of the selected members. */
  @property({ attribute: false }) selected: ReadonlySet<string> = new Set();
  /** Names of the members with a filter. */
  @property({ attribute: false }) filtered: ReadonlySet<string> = new Set();
  /** Called when a member is selected or deselected. */
  @property({ attribute: false }) onToggle: (member: Member) => void = () => {};
  /** Called when the viewer adds a filter. */
  @property({ attribute: false }) onFilter: (member: Member) => void = () => {};

  @state() private search = '';

  override render(): TemplateResult {
    const found = searchMembers(this.sources, this.search);
    const count = found.reduce((sum, { members }) => sum + members.length, 0);
    return html`<h2>Members</h2>
      <input
        type="search"
        aria-label="Search members"
        placeholder="Search members"
        .value=${this.search}
        @input=${this.#handleSearch}
      />
      <p class="unseen" role="status">${this.search ? `${count} members` : ''}</p>
      ${found.length === 0 ? html`<p class="hint">No member matches “${this.search}”.</p>` : nothing}
      <div class="sources">${found.map((source, index) => this.#renderSource(source, index))}</div>`;
  }

  #renderSource(source: MemberSource, index: number): TemplateResult {
    const isOpen = index === 0 || this.search !== '' || source.members.some(({ name }) => this.selected.has(name));
    return html`<details ?open=${isOpen}>
      <summary title=${source.description || nothing}>${source.title} <code>${source.name}</code></summary>
      ${kinds.map(kind => {
        const members = source.members.filter(member => member.kind === kind);
        if (members.length === 0) return nothing;
        return html`<fieldset>
          <legend>${headings[kind]}</legend>
          ${members.map(member => this.#renderMember(member))}
        </fieldset>`;
      })}
    </details>`;
  }

  #renderMember(member: Member): TemplateResult {
    const { name, title, description, kind, type } = member;
    const isUsual = kind === 'time' || type === '' || type === (kind === 'measure' ? 'number' : 'string');
    return html`<div class="member">
      <label title=${description ? `${name}: ${description}` : name}>
        <input
          type="checkbox"
          data-member=${name}
          .checked=${this.selected.has(name)}
          @change=${() => this.onToggle(member)}
        />
        <span class="title">${title}</span>
        ${isUsual ? nothing : html`<span class="type">${type}</span>`}
      </label>
      ${
        kind === 'segment'
          ? nothing
          : html`<button
              type="button"
              class="filter"
              data-filter=${name}
              aria-label=${`Filter by ${title}`}
              title=${`Filter by ${title}`}
              aria-pressed=${this.filtered.has(name) ? 'true' : 'false'}
              @click=${() => this.onFilter(member)}
            >
              ${funnel}
            </button>`
      }
    </div>`;
  }

  readonly #handleSearch = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) this.search = event.target.value;
  };
}

const funnel = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  ${svg`<path d="M3 5h18l-7 8v6l-4 2v-8z"></path>`}
</svg>`;

declare global {
  interface HTMLElementTagNameMap {
    'pa-console-members': PaConsoleMembers;
  }
}
