import type { Cell } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { timeLocale } from '../format/locale.js';

/** Rows whose weekdays and months have the names of a language, and those names in calendar order by column. */
interface NamedRows {
  readonly rowSet: RowSet;
  readonly order: ReadonlyMap<string, readonly string[]>;
}

type Names = readonly string[];

/** Names of weekdays and months, and the numbers that represent them. */
interface Calendar {
  /** English names as data spell them. */
  readonly known: readonly Names[];
  /** The names of the locale in the same order. */
  readonly names: Names;
  /** Key of a column's `meta` that holds the number of a day or month. */
  readonly key: string;
  /** Place of that day or month in `names`. */
  readonly place: number;
  /** The numbers that `meta` may hold, each with the first number of the column. */
  readonly first: ReadonlyMap<unknown, number>;
  /** Members whose name leaves no doubt, and the number that `meta` would hold. */
  readonly unambiguous: readonly [RegExp, number];
}

/**
 * Names weekdays and months in the language of a locale: columns that hold their English names, and columns of numbers if the model says
 * which number is Sunday or January (`meta: {sunday: 0}`), or the member's name does (`month`, `iso_weekday`). Other numbers stay,
 * because some models count weekdays from Sunday, others from Monday.
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

function calendarsOf(locale: string): readonly Calendar[] {
  const english = timeLocale('en');
  const own = timeLocale(locale);
  // Weeks begin on a Monday, as those of the data do.
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
      // Not `orders_per_month`, nor `fiscal_month`, whose first is seldom January.
      unambiguous: [/(?<!(?:^|[._])(?:per|in|by|of|each|fiscal))(?:^|[._])month(?:_of_year|_number|_num)?$/, 1],
    },
  ];
}

/** Calendar names, keyed by the lower-case text or number that represents each one in a column. */
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
