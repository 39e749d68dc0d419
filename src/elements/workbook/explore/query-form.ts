import '../../parts/controls/filter-element.js';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { FilterCondition } from '../../../contract/widget-config.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { FilterState } from '../../../report/controls/control-state.js';
import type { Choice } from '../../../report/controls/controls.js';
import type { ModelFacts } from '../../../report/controls/model-facts.js';
import { granularities, type Member } from '../../../report/explore/members.js';
import { type Draft, filterType, membersOf, orderableKeys } from '../../../report/explore/query-draft.js';
import { granularityName } from '../../messages/control-label.js';
import type { ExploreMessages } from './explore-messages.js';

/** State and callback of the form. */
export interface QueryForm {
  readonly draft: Draft;
  readonly facts: ModelFacts;
  /** Loads the values that filters offer. */
  readonly source: SessionSource | null;
  readonly onChange: (draft: Draft) => void;
  readonly words: FormWords;
  /** Language of the names of granularities. */
  readonly locale: string;
  /** Whether the time zone can be changed. */
  readonly hasTimezone: boolean;
  /** An additional field, rendered after the limit. */
  readonly more?: TemplateResult | typeof nothing;
}

/** Messages of the form. */
export type FormWords = ExploreMessages['form'];

const maxLimit = 50_000;

/** Renders granularities, filters, order, limit and time zone of a draft. */
export function renderQuery(form: QueryForm): TemplateResult {
  const { draft, hasTimezone } = form;
  const times = membersOf(draft, 'time');
  const hasChips = times.length > 0 || draft.filters.size > 0;
  return html`${hasChips ? html`<div class="chips">${renderGranularities(form, times)} ${renderFilters(form)}</div>` : nothing}
    <div class="fields">${renderOrder(form)} ${renderLimit(form)} ${form.more ?? nothing} ${
      hasTimezone ? renderTimezone(form) : nothing
    }</div>`;
}

function renderGranularities({ draft, onChange, words, locale }: QueryForm, times: readonly Member[]): unknown {
  return repeat(
    times,
    ({ name }) => name,
    member => {
      const { name, title } = member;
      const current = draft.granularities.get(name) ?? '';
      const options = [...granularities, ...member.granularities.map(each => each.name)];
      const label = (value: string): string =>
        member.granularities.find(each => each.name === value)?.title ?? granularityName(value, locale);
      const handleChange = ({ target }: Event): void => {
        if (!(target instanceof HTMLSelectElement)) return;
        const order = target.value === '' && draft.order?.member === name ? null : draft.order;
        onChange({ ...draft, order, granularities: new Map(draft.granularities).set(name, target.value || null) });
      };
      return html`<label class="grain">
        <span>${words.groupBy(title)}</span>
        <select data-grain=${name} @change=${handleChange}>
          ${options.map(value => html`<option value=${value} ?selected=${value === current}>${label(value)}</option>`)}
          <option value="" ?selected=${current === ''}>${words.noGroup}</option>
        </select>
      </label>`;
    },
  );
}

function renderFilters({ draft, facts, source, onChange, words }: QueryForm): unknown {
  const entries = [...draft.filters];
  const choices: readonly Choice[] = [
    ...entries.map(
      ([member, condition]): Choice => ({
        kind: 'filter',
        title: member.title,
        member: member.name,
        type: filterType(member),
        condition,
        control: member.name,
        from: null,
      }),
    ),
    { kind: 'timezone', value: draft.timezone },
  ];
  const withFilters = (change: (filters: Map<Member, FilterCondition | null>) => void): void => {
    const filters = new Map(draft.filters);
    change(filters);
    onChange({ ...draft, filters });
  };
  return repeat(
    entries,
    ([{ name }]) => name,
    ([member, condition]) => {
      const chooser = {
        choose: (_: unknown, value: FilterCondition | string | null) => {
          if (typeof value !== 'string') withFilters(filters => filters.set(member, value));
          return true;
        },
        chooseMarks: () => false,
        reset: () => false,
        wantModel: () => {},
      };
      return html`<span class="filter">
        <pa-filter
          data-member=${member.name}
          .state=${filterState(member, condition)}
          .choices=${choices}
          .model=${facts}
          .source=${source}
          .chooser=${chooser}
        ></pa-filter>
        <button
          type="button"
          class="text-button"
          aria-label=${words.removeFilter(member.title)}
          title=${words.removeFilter(member.title)}
          @click=${() => withFilters(filters => filters.delete(member))}
        >
          ✕
        </button>
      </span>`;
    },
  );
}

function filterState(member: Member, value: FilterCondition | null): FilterState {
  const { kind, name, title } = member;
  return {
    kind: 'filter',
    by: 'viewer',
    fixed: false,
    value,
    control: {
      kind: 'filter',
      id: name,
      title,
      visibility: 'visible',
      member: name,
      values: null,
      single: false,
      // The values of a measure depend on the query, so they cannot be offered as a list.
      operators:
        kind === 'measure'
          ? ['greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal', 'between']
          : null,
      initial: null,
      userAttribute: null,
    },
  };
}

function renderOrder({ draft, onChange, words }: QueryForm): TemplateResult {
  const keys = orderableKeys(draft);
  const titles = new Map(draft.members.map(({ name, title }) => [name, title]));
  const current = draft.order ? `${draft.order.direction} ${draft.order.member}` : '';
  const options = keys.flatMap(member => [
    { value: `asc ${member}`, label: words.ascending(titles.get(member) ?? member) },
    { value: `desc ${member}`, label: words.descending(titles.get(member) ?? member) },
  ]);
  const handleChange = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const [direction, member = ''] = target.value.split(' ');
    const isOrder = direction === 'asc' || direction === 'desc';
    onChange({ ...draft, order: isOrder ? { member, direction } : null });
  };
  return html`<div class="field order">
    <label for="order">${words.orderBy}</label>
    <select id="order" @change=${handleChange}>
      <option value="" ?selected=${current === ''}>${words.defaultOrder}</option>
      ${options.map(({ value, label }) => html`<option value=${value} ?selected=${value === current}>${label}</option>`)}
    </select>
  </div>`;
}

function renderLimit({ draft, onChange, words }: QueryForm): TemplateResult {
  const handleChange = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const limit = Math.min(maxLimit, Math.max(1, Math.round(Number(target.value)) || (draft.limit ?? maxLimit)));
    target.value = String(limit);
    onChange({ ...draft, limit });
  };
  return html`<div class="field limit">
    <label for="limit">${words.limit}</label>
    <input id="limit" type="number" min="1" max=${maxLimit} .value=${String(draft.limit ?? '')} @change=${handleChange} />
  </div>`;
}

function renderTimezone({ draft, onChange, words }: QueryForm): TemplateResult {
  const handleChange = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const timezone = target.value.trim() || 'UTC';
    target.value = timezone;
    onChange({ ...draft, timezone });
  };
  return html`<div class="field timezone">
    <label for="timezone">${words.timezone}</label>
    <input id="timezone" list="timezones" spellcheck="false" .value=${draft.timezone} @change=${handleChange} />
    <datalist id="timezones">
      <option value="UTC"></option>
      ${Intl.supportedValuesOf('timeZone').map(zone => html`<option value=${zone}></option>`)}
    </datalist>
  </div>`;
}
