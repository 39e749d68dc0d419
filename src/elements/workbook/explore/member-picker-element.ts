import { css, html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  type Hierarchy,
  type Member,
  type MemberKind,
  type MemberSource,
  searchMembers,
} from '../../../report/explore/members.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { heading } from '../../parts/heading.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { register } from '../../register.js';
import { type ExploreMessages, exploreMessages } from './explore-messages.js';

const kinds: readonly MemberKind[] = ['measure', 'time', 'dimension', 'segment'];

const pickerStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 8px;
    min-block-size: 0;
  }
  [part='heading'] {
    margin: 0;
    font: 600 14px/20px var(--_font);
  }
  .search {
    display: flex;
    align-items: center;
    position: relative;
    flex: none;
  }
  .search svg {
    position: absolute;
    inset-inline-start: 10px;
    color: var(--_muted);
    pointer-events: none;
  }
  .search input {
    inline-size: 100%;
    padding-inline-start: 34px;
  }
  .switches {
    display: flex;
    flex: none;
    flex-wrap: wrap;
  }
  .switches label {
    flex: none;
  }
  .sources {
    flex: 1;
    min-block-size: 0;
    margin-inline: -4px;
    padding-inline: 4px;
    overflow-y: auto;
  }
  summary {
    padding: 6px 0;
    font: 600 13px/20px var(--_font);
    cursor: pointer;
  }
  code {
    margin-inline-start: 4px;
    color: var(--_muted);
    font: 400 12px/16px var(--_code-font);
  }
  fieldset {
    min-inline-size: 0;
    margin: 0 0 8px;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 4px 0;
    color: var(--_muted);
    font: 400 12px/16px var(--_font);
  }
  .member {
    display: flex;
    align-items: center;
    border-radius: 6px;
  }
  .member:hover {
    background: color-mix(in srgb, var(--_text) 5%, transparent);
  }
  label {
    display: flex;
    flex: 1;
    gap: 8px;
    align-items: center;
    min-inline-size: 0;
    min-block-size: 28px;
    padding: 0 6px;
    font-size: 13px;
    cursor: pointer;
  }
  input[type='checkbox'] {
    flex: none;
    inline-size: 16px;
    min-block-size: 0;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .title {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .type {
    flex: none;
    margin-inline-start: auto;
    color: var(--_muted);
    font-size: 12px;
  }
  .filter {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    inline-size: 28px;
    min-block-size: 28px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .filter svg {
    inline-size: 14px;
    block-size: 14px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linejoin: round;
  }
  .filter[aria-pressed='true'] {
    color: var(--_accent);
  }
  .filter[aria-pressed='true'] svg {
    fill: currentColor;
  }
  p {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  @media (pointer: coarse) {
    label,
    .filter {
      min-block-size: 44px;
    }
    .filter {
      inline-size: 44px;
    }
  }
`;

/**
 * Picks members of the model: a search field, and a checkbox per member with a button that adds a filter.
 *
 * @summary The picker of fields in the editor.
 * @tagname pa-member-picker
 */
class PaMemberPicker extends LitElement {
  static override styles = [controls, dialogStyles, visuallyHiddenStyles, pickerStyles];

  /** The parts of the model that are visible to the session. */
  @property({ attribute: false }) sources: readonly MemberSource[] = [];
  /** Names of the selected members. */
  @property({ attribute: false }) selected: ReadonlySet<string> = new Set();
  /** Names of the members with a filter. */
  @property({ attribute: false }) filtered: ReadonlySet<string> = new Set();
  /** Whether names of the model are shown next to titles, for readers who write queries. */
  @property({ attribute: false }) showsNames = false;
  @property({ attribute: false }) messages: ExploreMessages = exploreMessages;
  /** Called when a member is selected or deselected. */
  @property({ attribute: false }) onToggle: (member: Member) => void = () => {};
  /** Called when the user adds or removes a filter. */
  @property({ attribute: false }) onFilter: (member: Member) => void = () => {};

  /** Level of the heading. */
  @property({ attribute: false }) headingLevel = 3;

  /** Whether the user can show the names of the model. */
  @property({ attribute: false }) offersNames = false;
  /** Whether the user can list all fields without their views. */
  @property({ attribute: false }) offersGrouping = false;

  @state() private search = '';
  @state() private wantsNames = false;
  @state() private isGrouped = true;

  override render(): TemplateResult {
    const { explore } = this.messages;
    const found = searchMembers(this.sources, this.search);
    const count = found.reduce((sum, { members }) => sum + members.length, 0);
    return html`${heading(this.headingLevel, nothing, explore.fields)}
      <div class="search">
        ${icon('search')}
        <input
          type="search"
          aria-label=${explore.search}
          placeholder=${explore.search}
          .value=${this.search}
          @input=${this.#handleSearch}
        />
      </div>
      ${this.#renderSwitches()}
      <p class="unseen" role="status">${this.search ? explore.found(count) : nothing}</p>
      ${found.length === 0 ? html`<p>${explore.none(this.search)}</p>` : nothing}
      <div class="sources">
        ${
          this.isGrouped || !this.offersGrouping
            ? found.map((source, index) => this.#renderSource(source, index))
            : this.#renderUngrouped(found)
        }
      </div>`;
  }

  get #hasNames(): boolean {
    return this.showsNames || (this.offersNames && this.wantsNames);
  }

  #renderSwitches(): TemplateResult | typeof nothing {
    const { offersNames, offersGrouping } = this;
    const { names, grouping } = this.messages.explore;
    if (!offersNames && !offersGrouping) return nothing;
    return html`<div class="switches">
      ${offersNames ? this.#renderSwitch('names', { title: names, isOn: this.wantsNames }) : nothing}
      ${offersGrouping ? this.#renderSwitch('grouping', { title: grouping, isOn: this.isGrouped }) : nothing}
    </div>`;
  }

  #renderSwitch(name: string, { title, isOn }: { readonly title: string; readonly isOn: boolean }): TemplateResult {
    return html`<label>
      <input type="checkbox" data-switch=${name} .checked=${isOn} @change=${this.#handleSwitch} /> ${title}
    </label>`;
  }

  /** Renders the fields of all views by kind, each with the title of its view. */
  #renderUngrouped(sources: readonly MemberSource[]): readonly (TemplateResult | typeof nothing)[] {
    return kinds.map(kind => {
      const found = sources.flatMap(source =>
        source.members.filter(member => member.kind === kind).map(member => ({ member, view: source.title })),
      );
      if (found.length === 0) return nothing;
      return html`<fieldset>
        <legend>${this.messages.explore.kinds[kind]}</legend>
        ${found.map(({ member, view }) => this.#renderMember(member, view))}
      </fieldset>`;
    });
  }

  #renderSource(source: MemberSource, index: number): TemplateResult {
    const levels = new Set(source.hierarchies.flatMap(hierarchy => hierarchy.levels));
    const isOpen = index === 0 || this.search !== '' || source.members.some(({ name }) => this.selected.has(name));
    return html`<details ?open=${isOpen}>
      <summary title=${source.description || nothing}>
        ${source.title} ${this.#hasNames ? html`<code>${source.name}</code>` : nothing}
      </summary>
      ${kinds.map(kind => {
        const isHere = ({ name, kind: own }: Member): boolean => own === kind && !levels.has(name);
        return html`${this.#renderGroup(this.messages.explore.kinds[kind], source.members.filter(isHere))}
        ${kind === 'time' ? source.hierarchies.map(hierarchy => this.#renderHierarchy(source, hierarchy)) : nothing}`;
      })}
    </details>`;
  }

  #renderGroup(title: string, members: readonly Member[]): TemplateResult | typeof nothing {
    if (members.length === 0) return nothing;
    return html`<fieldset>
      <legend>${title}</legend>
      ${members.map(member => this.#renderMember(member))}
    </fieldset>`;
  }

  /** Renders the levels of a hierarchy in their order. */
  #renderHierarchy({ members }: MemberSource, { title, levels }: Hierarchy): TemplateResult | typeof nothing {
    const found = levels.flatMap(level => members.find(({ name }) => name === level) ?? []);
    return this.#renderGroup(this.messages.explore.hierarchy(title), found);
  }

  /** @param view - title of the view, if the list does not show it. */
  #renderMember(member: Member, view = ''): TemplateResult {
    const { explore } = this.messages;
    const { name, title, description, kind, type } = member;
    const isUsual = kind === 'time' || type === '' || type === (kind === 'measure' ? 'number' : 'string');
    const types: Readonly<Record<string, string>> = explore.types;
    return html`<div class="member">
      <label title=${(this.#hasNames ? [name, description] : [description]).filter(Boolean).join(': ') || nothing}>
        <input
          type="checkbox"
          data-member=${name}
          .checked=${this.selected.has(name)}
          @change=${() => this.onToggle(member)}
        />
        <span class="title">${title}</span>
        ${this.offersNames && this.#hasNames ? html`<code>${name}</code>` : nothing}
        ${view ? html`<span class="type">${view}</span>` : nothing}
        ${isUsual ? nothing : html`<span class="type">${types[type] ?? type}</span>`}
      </label>
      ${
        kind === 'segment'
          ? nothing
          : html`<button
              type="button"
              class="filter"
              data-filter=${name}
              aria-label=${explore.filterBy(title)}
              title=${explore.filterBy(title)}
              aria-pressed=${this.filtered.has(name) ? 'true' : 'false'}
              @click=${() => this.onFilter(member)}
            >
              ${funnel}
            </button>`
      }
    </div>`;
  }

  readonly #handleSwitch = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.dataset.switch === 'names') this.wantsNames = target.checked;
    else this.isGrouped = target.checked;
  };

  readonly #handleSearch = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) this.search = event.target.value;
  };
}

const funnel = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  ${svg`<path d="M3 5h18l-7 8v6l-4 2v-8z"></path>`}
</svg>`;

register('pa-member-picker', PaMemberPicker);

declare global {
  interface HTMLElementTagNameMap {
    'pa-member-picker': PaMemberPicker;
  }
}
