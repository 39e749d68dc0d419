import { html, type TemplateResult } from 'lit';
import type { RowSet } from '../../../contract/row-set.js';
import type { Choice, FilterChoice } from '../../../report/controls/controls.js';
import { formatList } from '../../../report/format/locale.js';
import { viewOf, viewsOf } from '../../../report/query/member-names.js';
import type { ReportRequest } from '../../../report/query/report-request.js';
import type { PageMessages } from '../../messages/page-messages.js';
import { heading } from '../heading.js';
import type { HintIcon } from '../hint/hint-element.js';
import type { TileView } from './tile-view.js';

/** An indicator next to the heading of a tile, with an explanation. */
export interface TileBadge {
  readonly label: string;
  readonly explanation: string;
  readonly icon: HintIcon;
  /**
   * Whether the label is shown next to the heading if there is space; otherwise the indicator is an icon in the corner
   * of the tile.
   */
  readonly worded: boolean;
}

/** Number of marks that a chart renders. */
export interface MarkSample {
  readonly shown: number;
  readonly total: number;
}

/** Input of the indicators of a tile. */
interface BadgeInput {
  readonly view: TileView;
  readonly request: ReportRequest | null;
  readonly choices: readonly Choice[];
  readonly markSample: MarkSample | null;
  /** Whether previous rows are shown and no request is running. */
  readonly stale: boolean;
}

/** Returns the active filters that apply to the rows of a report. */
export function activeFilters(request: ReportRequest | null, choices: readonly Choice[]): readonly FilterChoice[] {
  if (request?.kind !== 'load') return [];
  const views = viewsOf(request.query);
  const ignored = new Set(request.ignored.map(({ title }) => title));
  return choices.flatMap(choice =>
    choice.kind === 'filter' &&
    choice.condition !== null &&
    views.has(viewOf(choice.member)) &&
    !ignored.has(choice.title)
      ? [choice]
      : [],
  );
}

/** Returns the indicators of a tile, in order: ignored controls, active filters, missing rows. */
export function tileBadges(facts: BadgeInput, messages: PageMessages, locale: string): readonly TileBadge[] {
  const { view, request, choices, markSample, stale } = facts;
  const list = (names: readonly string[]) => formatList(locale, [...new Set(names)], 'long');
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const marks: TileBadge[] = [];
  const ignored = request?.ignored ?? [];
  if (ignored.length > 0) {
    const names = list(ignored.map(({ title }) => title));
    const reason = request?.kind === 'sql' ? request.reason : null;
    const reasons = new Set(
      ignored.flatMap(({ reason: why }) =>
        why === 'sql' ? [] : messages.ignoredBecause[why === 'grains' || why === 'taken' ? why : 'condition'],
      ),
    );
    const explanation = [messages.ignoresControlsHint(names, reason), ...reasons].join(' ');
    marks.push({ label: messages.ignoresControls, explanation, icon: 'unfiltered', worded: false });
  }
  if (view.status !== 'shown') return marks;
  const filters = activeFilters(request, choices);
  if (filters.length > 0) {
    const names = list(filters.map(({ title }) => title));
    marks.push({
      label: messages.filtered,
      explanation: messages.filteredHint(names),
      icon: 'filtered',
      worded: false,
    });
  }
  if (view.data?.rowSet.truncated) marks.push(firstRowsBadge(view.data.rowSet, messages, number));
  if (markSample) {
    const [shown, total] = [number(markSample.shown), number(markSample.total)];
    marks.push({
      label: messages.showingOf(shown, total),
      explanation: messages.showingOfHint(shown, total),
      icon: 'partial',
      worded: true,
    });
  }
  if (stale) marks.push({ label: messages.stale, explanation: messages.staleHint, icon: 'stale', worded: true });
  return marks;
}

function firstRowsBadge({ rows, total }: RowSet, messages: PageMessages, number: (value: number) => string): TileBadge {
  const count = number(rows.length);
  const style = { icon: 'partial', worded: true } as const;
  if (total === undefined || total <= rows.length)
    return { label: messages.firstRows(count), explanation: messages.firstRowsHint(count), ...style };
  const all = number(total);
  return { label: messages.firstRowsOf(count, all), explanation: messages.firstRowsOfHint(count, all), ...style };
}

/** Content of the tile header. */
interface TileHeader {
  readonly title: string;
  readonly level: number;
  /** Whether the heading is visible only to assistive technology. */
  readonly bare: boolean;
  readonly marks: readonly TileBadge[];
  readonly menu: {
    readonly label: string;
    readonly open: boolean;
    readonly onPress: () => void;
    readonly onClick: (event: Event) => void;
  };
}

/**
 * Renders the heading, indicators, and a menu button that appears on hover and focus. Icons are in the corner, within
 * the padding of the tile, to avoid layout shifts. They precede the header, so that Tab moves from the menu to the
 * content.
 */
export function tileHeader({ title, level, bare, marks, menu }: TileHeader): TemplateResult {
  return html`<div class="corner"><slot name="corner"></slot>${marks.filter(({ worded }) => !worded).map(renderBadge)}</div>
    <header part="header" class=${bare ? 'bare' : ''} title=${title}>
    ${heading(level, 'heading', title)}
    ${marks.filter(({ worded }) => worded).map(renderBadge)}
    <button
      part="menu-button"
      class="menu"
      type="button"
      title=${menu.label}
      aria-label=${menu.label}
      aria-haspopup="menu"
      aria-expanded=${menu.open ? 'true' : 'false'}
      @pointerdown=${menu.onPress}
      @click=${menu.onClick}
    >
      <svg viewBox="0 0 24 24" width="16" height="16" fill="currentColor" aria-hidden="true">
        <circle cx="5" cy="12" r="1.75" />
        <circle cx="12" cy="12" r="1.75" />
        <circle cx="19" cy="12" r="1.75" />
      </svg>
    </button>
  </header>`;
}

function renderBadge({ label, explanation, icon, worded }: TileBadge): TemplateResult {
  return html`<pa-hint
    exportparts="mark"
    icon=${icon}
    ?worded=${worded}
    .label=${label}
    .explanation=${explanation}
  ></pa-hint>`;
}

let hint: Promise<unknown> | null = null;

/** Loads the element for indicators. Called after every update of a tile, so it imports the element once. */
export async function loadHint(): Promise<void> {
  hint ??= import('../hint/hint-element.js');
  try {
    await hint;
  } catch (error) {
    hint = null;
    throw error;
  }
}
