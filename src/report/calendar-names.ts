import type { Cell } from '../contract/data.js';
import type { Column, RowSet } from '../contract/row-set.js';
import { timeLocale } from './locale.js';

/** Rows whose weekdays and months have the names of a language, and those names in calendar order by column. */
interface NamedRows {
  readonly rowSet: RowSet;
  readonly order: ReadonlyMap<string, readonly string[]>;
}

type Names = readonly string[];

/**
 * Names weekdays and months in the language of a locale: columns that hold their English names, and numbers from 1 to 12 of a column
 * that is called month. Numbers of weekdays stay, because models count them from Sunday or from Monday.
 */
export function namesOf(rowSet: RowSet, locale: string): NamedRows {
  const english = timeLocale('en');
  const own = timeLocale(locale);
  // Weeks begin on a Monday, as those of the data do.
  const fromMonday = ([sunday = '', ...others]: Names): Names => [...others, sunday];
  const calendars = [
    { known: [fromMonday(english.days), fromMonday(english.shortDays)], names: fromMonday(own.days), numbered: null },
    { known: [english.months, english.shortMonths], names: own.months, numbered: /(?:^|[._])month(?:_of_year)?$/ },
  ];
  const order = new Map<string, readonly string[]>();
  const texts = new Map<string, ReadonlyMap<string, string>>();
  for (const column of rowSet.columns.filter(({ kind }) => kind === 'dimension')) {
    for (const { known, names, numbered } of calendars) {
      const isNumbered = numbered?.test(column.member) ?? false;
      const spellings = isNumbered ? [...known, names.map((_, index) => String(index + 1))] : known;
      const byText = new Map(
        spellings.flatMap(list => list.map((text, index) => [text.toLowerCase(), names[index] ?? text])),
      );
      if (!rowSet.rows.every(row => nameOf(row[column.member], byText) !== null)) continue;
      order.set(column.member, names);
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
