import type { Engine } from '../engines/engine.js';

/** A text column whose values are dates or numbers. */
export interface Conversion {
  readonly type: 'time' | 'number';
  /** Returns SQL that converts the column. `ref` is SQL of the column. */
  readonly sql: (ref: string) => string;
}

interface Candidate extends Conversion {
  /** Returns a SQL condition for the values that the conversion preserves. */
  readonly test: (ref: string) => string;
}

const dates = ['%d.%m.%Y', '%m/%d/%Y', '%d/%m/%Y', '%d-%m-%Y', '%Y/%m/%d'];
const dateCandidates = dates
  .flatMap(date => [date, `${date} %H:%M`, `${date} %H:%M:%S`])
  .map((format): Candidate => {
    const sql = (ref: string) => `try_strptime(${ref}, '${format}')`;
    return { type: 'time', sql, test: ref => `${sql(ref)} IS NOT NULL` };
  });

/**
 * Returns the conversion of a number format. Numbers with leading zeros are codes, such as zip codes. Whole numbers of
 * more than 15 digits are treated as ids, because two different numbers could become equal as `DOUBLE`.
 */
function numberCandidate(pattern: string, plain: (ref: string) => string): Candidate {
  return {
    type: 'number',
    sql: ref => `TRY_CAST(${plain(ref)} AS DOUBLE)`,
    test: ref => `regexp_full_match(trim(${ref}), '-?(0|[1-9][0-9]{0,14}|${pattern})')`,
  };
}

const numberCandidates = [
  numberCandidate('(0|[1-9][0-9]*)[.][0-9]+', ref => ref),
  numberCandidate(
    '[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]+)?|(0|[1-9][0-9]*)[.][0-9]+',
    ref => `replace(${ref}, ',', '')`,
  ),
  numberCandidate(
    '[1-9][0-9]{0,2}([.][0-9]{3})+(,[0-9]+)?|(0|[1-9][0-9]*),[0-9]+',
    ref => `replace(replace(${ref}, '.', ''), ',', '.')`,
  ),
];
const [plainNumber] = numberCandidates;
const candidates = [...dateCandidates, ...numberCandidates];

/** Strings that mean that a value is missing. The conversions return NULL for them. */
const missing = "('', '-', 'n/a', '#n/a', 'na', 'null', 'none')";
/** Number of rows on which all formats are tested; formats that fit are then tested on all rows. */
const sampleRows = 1000;
/** Maximum number of columns that one statement compares, because its time grows faster than the number of columns. */
const columnsPerStatement = 20;

/**
 * Finds the text columns of a table whose values are all dates or numbers in a common format, such as `31.12.2025` or
 * `1,234.50`. A column that fits several formats, such as `01/02/2025`, stays text.
 * @param names - text columns, quoted in SQL.
 * @param table - quoted in SQL.
 */
export async function findConversions(
  names: readonly string[],
  table: string,
  engine: Pick<Engine, 'run'>,
): Promise<ReadonlyMap<string, Conversion>> {
  const found = new Map<string, Conversion>();
  for (let start = 0; start < names.length; start += columnsPerStatement) {
    const part = names.slice(start, start + columnsPerStatement);
    const all = new Map(part.map(name => [name, candidates]));
    const sample = `(SELECT ${part.join(', ')} FROM ${table} LIMIT ${sampleRows})`;
    const fitting = await fittingCandidates(await fittingCandidates(all, sample, engine), table, engine);
    for (const [name, fits] of fitting) {
      const [first, ...others] = fits;
      if (first && (first === plainNumber || others.length === 0)) found.set(name, first);
    }
  }
  return found;
}

async function fittingCandidates(
  columns: ReadonlyMap<string, readonly Candidate[]>,
  from: string,
  engine: Pick<Engine, 'run'>,
): Promise<Map<string, readonly Candidate[]>> {
  const entries = [...columns].filter(([, list]) => list.length > 0);
  if (entries.length === 0) return new Map();
  const counts = entries.flatMap(([name, list]) => {
    const present = `lower(trim(${name})) NOT IN ${missing}`;
    return [`count(*) FILTER (WHERE ${present})`, ...list.map(({ test }) => `count(*) FILTER (WHERE ${test(name)})`)];
  });
  const row = (await engine.run(`SELECT ${counts.join(', ')} FROM ${from} AS compared`, [])).columns;
  const values = row.map(([cell]) => Number(cell));
  return new Map(
    entries.map(([name, list]) => {
      const [present = 0, ...matching] = values.splice(0, list.length + 1);
      return [name, list.filter((_, index) => present > 0 && matching[index] === present)];
    }),
  );
}
