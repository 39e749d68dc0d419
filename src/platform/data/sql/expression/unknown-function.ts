import { nearName } from '../near-name.js';
import { shown } from '../select/names.js';
import { SqlProblem } from '../sql-problem.js';

/** What to write in place of functions that we don't have. */
const substitutes: ReadonlyMap<string, string> = new Map([
  ...['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'].map(
    unit => [unit, `write EXTRACT(${unit.toUpperCase()} FROM …)`] as const,
  ),
  ['datepart', 'write EXTRACT(MONTH FROM …)'],
  ['median', 'write percentile_cont(0.5) WITHIN GROUP (ORDER BY …)'],
  ...['nvl', 'ifnull', 'isnull'].map(name => [name, 'write COALESCE(…)'] as const),
  ...['if', 'iif', 'decode'].map(name => [name, 'write CASE WHEN … THEN … ELSE … END'] as const),
  ...['datediff', 'date_diff', 'age'].map(
    name => [name, 'subtract one from the other, as in a::date - b::date'] as const,
  ),
  ...['dateadd', 'date_add', 'date_sub'].map(name => [name, "add an interval, as in x + INTERVAL '1 day'"] as const),
  ...['getdate', 'sysdate', 'clock_timestamp'].map(name => [name, 'write now()'] as const),
  ...['to_char', 'date_format', 'strftime'].map(
    name => [name, 'group by DATE_TRUNC, and format what it gives where it is shown'] as const,
  ),
  ...['to_date', 'to_timestamp', 'str_to_date'].map(name => [name, "write DATE '2001-01-31', or cast a text"] as const),
  ...['convert', 'try_cast', 'to_number'].map(name => [name, 'write CAST(x AS type)'] as const),
  ...['string_agg', 'array_agg', 'group_concat', 'listagg'].map(
    name => [name, 'select the values as rows, and put them together where they are shown'] as const,
  ),
  ...['len', 'datalength'].map(name => [name, 'write length(…)'] as const),
  ['charindex', 'write strpos(text, part)'],
  ['instr', 'write strpos(text, part)'],
  ...['generate_series', 'unnest', 'range'].map(name => [name, 'all rows are of cubes and views'] as const),
]);

/** @param known - names of the functions that there are. */
export function unknownFunction(name: string, known: Iterable<string>, at: number | undefined): SqlProblem {
  const near = nearName(name, known);
  const advice = substitutes.get(name) ?? (near && `did you mean ${near}()?`);
  return new SqlProblem(`The function ${shown(name)}() is not supported${advice ? `: ${advice}` : ''}`, at);
}
