import type { Cell } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { timeLocale } from './locale.js';

/** Rows with localized weekdays and months, and those names in calendar order for each column. */
interface NamedRows {
  readonly rowSet: RowSet;
  readonly order: ReadonlyMap<string, readonly string[]>;
}

type Names = readonly string[];

/** Names of weekdays or months, and the numbers that represent them. */
interface Calendar {
  /** English names, long and short. */
  readonly known: readonly Names[];
  /** Localized names in the same order. */
  readonly names: Names;
  /** Key of a column's `meta` that contains the number of the reference name (Sunday or January). */
  readonly key: string;
  /** Index of the reference name in `names`. */
  readonly place: number;
  /** First number of a column, by the number in its `meta`. Other numbers in `meta` are invalid. */
  readonly first: ReadonlyMap<unknown, number>;
  /** Pattern of unambiguous member names, and the number that `meta` would contain. */
  readonly unambiguous: readonly [RegExp, number];
}

/**
 * Localizes weekdays and months: columns of English names, and columns of numbers if the model states which number is
 * Sunday or January (`meta: {sunday: 0}`) or the member name implies it (`month`, `iso_weekday`). Other numbers are not
 * changed, because some models count weekdays from Sunday, others from Monday.
 */
export function namesOf(rowSet: RowSet, locale: string): NamedRows {
  const order = new Map<string, Names>();
  const texts = new Map<string, ReadonlyMap<string, string>>();
  const calendars = calendarsOf(locale);
  for (const column of rowSet.columns.filter(({ kind }) => kind === 'dimension')) {
    for (const calendar of calendars) {
      const byText = namesByText(column, calendar);
      if (!rowSet.rows.every(row => nameOf(row[column.member], byText) !== null)) continue;
      order.set(column.member, calendar.names);
      texts.set(column.member, byText);
    }
  }
  if (order.size === 0) return { rowSet, order };
  const rows = rowSet.rows.map(row => ({
    ...row,
    ...Object.fromEntries([...texts].map(([member, byText]) => [member, nameOf(row[member], byText)])),
  }));
  return {
    rowSet: {
      ...rowSet,
      columns: rowSet.columns.map(column => (order.has(column.member) ? asText(column) : column)),
      rows,
    },
    order,
  };
}

/** Returns the cells of the columns that `namesOf` localizes, by column and localized name. */
export function cellsByName(rowSet: RowSet, locale: string): ReadonlyMap<string, ReadonlyMap<Cell, Cell>> {
  const named = namesOf(rowSet, locale);
  return new Map(
    [...named.order.keys()].map(member => [
      member,
      new Map(named.rowSet.rows.map((row, index) => [row[member] ?? null, rowSet.rows[index]?.[member] ?? null])),
    ]),
  );
}

/**
 * Returns the function that names a number of a column as a weekday or month, if the model or the name of the column
 * states which number is which; `null` for other columns.
 */
export function calendarNamer(column: Column, locale: string): ((cell: Cell) => string | null) | null {
  if (column.kind !== 'dimension' || column.annotation.type !== 'number') return null;
  const byText = new Map(calendarsOf(locale).flatMap(calendar => [...namesByText(column, calendar)]));
  return [...byText.keys()].some(text => /^\d+$/.test(text)) ? cell => nameOf(cell, byText) : null;
}

/** Whether the model states that the numbers of a dimension are weekdays or months (`meta: {sunday: 0}`). */
export function isCalendar({ kind, annotation: { type, meta } }: Column): boolean {
  if (kind !== 'dimension' || type !== 'number' || !meta) return false;
  return typeof meta.sunday === 'number' || typeof meta.january === 'number';
}

function calendarsOf(locale: string): readonly Calendar[] {
  const english = timeLocale('en');
  const own = timeLocale(locale);
  // Weeks start on Monday, as in the data.
  const fromMonday = ([sunday = '', ...others]: Names): Names => [...others, sunday];
  const months = Array.from({ length: 12 }, (_, index) => index + 1);
  return [
    {
      known: [fromMonday(english.days), fromMonday(english.shortDays)],
      names: fromMonday(own.days),
      key: 'sunday',
      place: 6,
      first: new Map([
        [0, 0],
        [6, 0],
        [1, 1],
        [7, 1],
      ]),
      unambiguous: [/(?:^|[._])(?:iso_?(?:weekday|dow|day_of_week)|(?:weekday|day_of_week)_iso)$/, 7],
    },
    {
      known: [english.months, english.shortMonths],
      names: own.months,
      key: 'january',
      place: 0,
      first: new Map([[0, 0], ...months.map((month): [number, number] => [month, 1])]),
      // Excludes `orders_per_month`, and `fiscal_month`, whose first month is rarely January.
      unambiguous: [/(?<!(?:^|[._])(?:per|in|by|of|each|fiscal))(?:^|[._])month(?:_of_year|_number|_num)?$/, 1],
    },
  ];
}

/** Returns localized names by the lowercase text or number that represents them in a column. */
function namesByText({ member, annotation }: Column, calendar: Calendar): ReadonlyMap<string, string> {
  const { known, names, key, place, first, unambiguous } = calendar;
  const texts = known.flatMap(list =>
    list.map((text, index): [string, string] => [text.toLowerCase(), names[index] ?? text]),
  );
  const [pattern, usual] = unambiguous;
  const said = annotation.meta?.[key] ?? (pattern.test(member) ? usual : undefined);
  const from = first.get(said);
  if (from === undefined) return new Map(texts);
  const numbers = names.map((_, index): [string, string] => {
    const at = (from + index - Number(said) + place + 2 * names.length) % names.length;
    return [String(from + index), names[at] ?? ''];
  });
  return new Map([...texts, ...numbers]);
}

function nameOf(cell: Cell | undefined, byText: ReadonlyMap<string, string>): string | null {
  return (
    byText.get(
      String(cell ?? '')
        .trim()
        .toLowerCase(),
    ) ?? null
  );
}

function asText(column: Column): Column {
  return { ...column, annotation: { ...column.annotation, type: 'string' } };
}
