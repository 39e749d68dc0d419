import type { RowSet } from '../../../contract/row-set.js';
import type { Choice, FilterChoice } from '../../../report/controls.js';
import type { ReportRequest } from '../../../report/query.js';
import { viewOf, viewsOf } from '../../../report/query-keys.js';
import type { Messages } from '../../messages/messages.js';
import type { HintIcon } from '../hint/hint-element.js';
import type { TileView } from './tile-view.js';

/** A mark beside a tile's heading, and what it means. */
export interface TileMark {
  readonly label: string;
  readonly explanation: string;
  readonly icon: HintIcon;
  /** Stands in words beside the heading, where there is room for them; else as an icon in the corner of the tile. */
  readonly worded: boolean;
}

/** What a chart shows of many marks. */
export interface Thinned {
  readonly shown: number;
  readonly total: number;
}

/** What the marks of a tile are told by. */
export interface MarkFacts {
  readonly view: TileView;
  readonly request: ReportRequest | null;
  readonly choices: readonly Choice[];
  readonly thinned: Thinned | null;
  /** Rows from before stand there, and nothing newer is on its way. */
  readonly stale: boolean;
}

/** The filters that were chosen and reach the rows of a report. */
export function filtersOn(request: ReportRequest | null, choices: readonly Choice[]): readonly FilterChoice[] {
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

/** The marks of a tile, in order: what it ignores, what filters it, and what is missing of it. */
export function tileMarks(facts: MarkFacts, messages: Messages, locale: string): readonly TileMark[] {
  const { view, request, choices, thinned, stale } = facts;
  const list = (names: readonly string[]) => new Intl.ListFormat(locale).format(new Set(names));
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const marks: TileMark[] = [];
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
  const filters = filtersOn(request, choices);
  if (filters.length > 0) {
    const names = list(filters.map(({ title }) => title));
    marks.push({
      label: messages.filtered,
      explanation: messages.filteredHint(names),
      icon: 'filtered',
      worded: false,
    });
  }
  if (view.data?.rowSet.truncated) marks.push(firstRowsMark(view.data.rowSet, messages, number));
  if (thinned) {
    const [shown, total] = [number(thinned.shown), number(thinned.total)];
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

function firstRowsMark({ rows, total }: RowSet, messages: Messages, number: (value: number) => string): TileMark {
  const count = number(rows.length);
  const look = { icon: 'partial', worded: true } as const;
  if (total === undefined || total <= rows.length)
    return { label: messages.firstRows(count), explanation: messages.firstRowsHint(count), ...look };
  const all = number(total);
  return { label: messages.firstRowsOf(count, all), explanation: messages.firstRowsOfHint(count, all), ...look };
}
