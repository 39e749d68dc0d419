import type { FuncCall } from 'libpg-query';
import { nearestName } from '../../../../contract/nearest-name.js';
import { sqlName } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType, typeWords } from '../sql-type.js';
import type { Expression, Literal } from '../tree.js';
import { aggregateNames, isAggregate, readAggregate } from './aggregates.js';
import { castTo, textOf } from './casts.js';
import { maxPlaces } from './decimals.js';
import { literal, moment } from './literals.js';
import { call, rowFunctions } from './operations.js';
import { placeOf, type Reader, readArguments, wordOf, wordsOf } from './reader.js';
import { fieldsOf, truncUnits } from './time-operations.js';
import { isWindowFunction, readWindow, windowFunctions } from './windows.js';

/** Replacements to suggest for unsupported functions. */
const substitutes: ReadonlyMap<string, string> = new Map([
  ...['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'].map(
    unit => [unit, `write EXTRACT(${unit.toUpperCase()} FROM …)`] as const,
  ),
  ['datepart', 'write EXTRACT(MONTH FROM …)'],
  ['median', 'write percentile_cont(0.5) WITHIN GROUP (ORDER BY …)'],
  ...['nvl', 'ifnull', 'isnull'].map(name => [name, 'write COALESCE(…)'] as const),
  ...['if', 'iif', 'decode'].map(name => [name, 'write CASE WHEN … THEN … ELSE … END'] as const),
  ...['datediff', 'date_diff', 'age'].map(name => [name, 'subtract the values, as in a::date - b::date'] as const),
  ...['dateadd', 'date_add', 'date_sub'].map(name => [name, "add an interval, as in x + INTERVAL '1 day'"] as const),
  ...['getdate', 'sysdate', 'clock_timestamp'].map(name => [name, 'write now()'] as const),
  ...['to_char', 'date_format', 'strftime'].map(
    name => [name, 'group by DATE_TRUNC, and format the result in the client'] as const,
  ),
  ...['to_date', 'to_timestamp', 'str_to_date'].map(name => [name, "write DATE '2001-01-31', or cast text"] as const),
  ...['convert', 'try_cast', 'to_number'].map(name => [name, 'write CAST(x AS type)'] as const),
  ...['string_agg', 'array_agg', 'group_concat', 'listagg'].map(
    name => [name, 'select the values as rows, and combine them in the client'] as const,
  ),
  ...['len', 'datalength'].map(name => [name, 'write length(…)'] as const),
  ['charindex', 'write strpos(text, part)'],
  ['instr', 'write strpos(text, part)'],
  ...['generate_series', 'unnest', 'range'].map(name => [name, 'select rows from cubes and views'] as const),
]);

/** @param names - names of the supported functions. */
function unknownFunction(name: string, names: Iterable<string>, at: number | undefined): SqlProblem {
  const near = nearestName(name, names);
  const advice = substitutes.get(name) ?? (near && `did you mean ${near}()?`);
  return new SqlProblem(`The function ${sqlName(name)}() is not supported${advice ? `: ${advice}` : ''}`, at);
}

/** Reads a scalar function, an aggregate or a window function. */
export function readFunction(node: FuncCall, reader: Reader): Expression {
  const at = node.location;
  const name = nameOf(node);
  if (node.func_variadic) throw new SqlProblem('VARIADIC is not supported', at);
  if (!isKnown(name)) throw unknownFunction(name, functionNames, at);
  if (node.over) return readWindow(name, node, node.over, reader);
  if (isAggregate(name)) return readAggregate(name, node, reader);
  if (isWindowFunction(name)) throw new SqlProblem(`${name}() requires an OVER clause`, at);
  if (node.agg_star || node.agg_distinct || node.agg_order || node.agg_filter || node.agg_within_group) {
    throw new SqlProblem(`${name}() is not a supported aggregate function`, at);
  }
  checkUnit(name, node);
  const args = readArguments(node.args, reader, at);
  const special = Object.hasOwn(specials, name) ? specials[name] : undefined;
  return special ? special(name, args, at, reader) : call(name, args, at);
}

function isKnown(name: string): boolean {
  return rowFunctions.has(name) || Object.hasOwn(specials, name) || isAggregate(name) || isWindowFunction(name);
}

/** Rejects a unit without quotes, as in other dialects: `DATE_TRUNC(month, …)`. It would be read as a column. */
function checkUnit(name: string, { args: [unit] = [] }: FuncCall): void {
  if (name !== 'date_trunc' && name !== 'date_part') return;
  const word = unit && 'ColumnRef' in unit ? wordOf(unit.ColumnRef.fields) : null;
  if (unit && word !== null && (truncUnits.includes(word) || fieldsOf.timestamp?.includes(word)))
    throw new SqlProblem(`${name}() requires its unit as text: write '${word}' in quotes`, placeOf(unit));
}

/** Returns the unqualified name of a function. The parser adds a schema to functions with special syntax. */
function nameOf({ funcname, funcformat, location }: FuncCall): string {
  const [schema, name] = wordsOf(funcname) ?? [];
  if (funcformat === 'COERCE_SQL_SYNTAX' && schema === 'pg_catalog' && name !== undefined) return name;
  const word = wordOf(funcname);
  if (word === null) throw new SqlProblem('Functions with a schema are not supported: remove the schema', location);
  return word;
}

type Special = (name: string, args: readonly Expression[], at: number | undefined, reader: Reader) => Expression;

const now: Special = (name, args, at, { scope }) => {
  if (args.length > 0) throw new SqlProblem(`${name}() takes no arguments`, at);
  return moment(scope);
};

/** Maximum length of the separator of `concat_ws`, in characters. */
const maxSeparator = 100;

/** Reads `concat` and `concat_ws`. Rejects values whose text differs between engines. */
const texts: Special = (name, args, at) => {
  const [first] = args;
  if (name === 'concat_ws' && first?.kind === 'literal' && String(first.value).length > maxSeparator) {
    throw new SqlProblem(`The separator of ${name}() can have at most ${maxSeparator} characters`, at);
  }
  if (args.some(({ type }) => type === SqlType.boolean)) {
    throw new SqlProblem(`${name}() does not support booleans: convert them to text with CASE`, at);
  }
  return call(
    name,
    args.map(arg => textOf(arg, at)),
    at,
  );
};

/** Reads `round` and `trunc`. The number of decimal places must be constant, because it is part of a type in DuckDB. */
const rounding: Special = (name, args, at) => {
  const [value, digits] = args;
  if (value === undefined || digits === undefined) return call(name, args, at);
  const rounded = call(name, args, at);
  const [, places] = rounded.args;
  if (places?.kind !== 'literal' || typeof places.value !== 'number' || Math.abs(places.value) > maxPlaces) {
    throw new SqlProblem(
      `${name}() requires a constant number of decimal places from -${maxPlaces} to ${maxPlaces}`,
      at,
    );
  }
  return rounded;
};

const field: Special = (name, args, at) => {
  const [unit, given] = args;
  const called = given && asMoment(name, given);
  if (unit === undefined || called === undefined || args.length > 2)
    throw new SqlProblem(`${name}() requires a field and a time`, at);
  const known = name === 'date_trunc' && called.type !== SqlType.unknown ? truncUnits : fieldsOf[called.type];
  if (known === undefined)
    throw new SqlProblem(`${name}() requires a date or a timestamp, not ${typeWords(called.type)}`, at);
  return call(name, [fieldLiteral(name, unit, known, at), called], at);
};

/** Converts the date argument of `date_trunc` to a timestamp. */
function asMoment(name: string, value: Expression): Expression {
  return name === 'date_trunc' && value.type === SqlType.date
    ? castTo(value, { type: SqlType.timestamp }, undefined)
    : value;
}

/** Normalizes the name of a unit, such as `months` or `MONTH`. */
function fieldLiteral(name: string, unit: Expression, fields: readonly string[], at: number | undefined): Literal {
  const word = unit.kind === 'literal' && typeof unit.value === 'string' ? unit.value.toLowerCase() : '';
  const found = fields.find(one => one === word || `${one}s` === word || one === `${word}s`);
  const quotes = name === 'extract' ? '' : ', in quotes';
  if (found === undefined)
    throw new SqlProblem(`The unit of ${name}() must be one of ${fields.join(', ')}${quotes}`, at);
  return literal(SqlType.text, found);
}

/** Reads `split_part`. Rejects a position of 0 and an empty delimiter, because DuckDB treats them differently. */
const splitting: Special = (name, args, at) => {
  const split = call(name, args, at);
  const [, delimiter, place] = split.args;
  if (delimiter?.kind !== 'literal' || delimiter.value === '' || place?.kind !== 'literal' || place.value === 0) {
    throw new SqlProblem(
      `${name}() requires a constant delimiter that is not empty and a constant position other than 0`,
      at,
    );
  }
  return split;
};

/** Reads `substring`. Postgres treats a second argument of type text as a pattern. */
const cutting: Special = (name, args, at) => {
  const [, from] = args;
  if (from?.type === SqlType.unknown || from?.type === SqlType.text)
    throw new SqlProblem(`${name}() requires a position as a number, not a pattern`, at);
  return call(name, args, at);
};

/** Reads `replace`. The arguments must be constant, so that the growth of the text is known. */
const replacing: Special = (name, args, at) => {
  const replaced = call(name, args, at);
  if (!replaced.args.slice(1).every(({ kind }) => kind === 'literal')) {
    throw new SqlProblem(`${name}() requires constants for the text to find and its replacement`, at);
  }
  return replaced;
};

const asDate: Special = (name, args, at) => {
  const [value] = args;
  if (value === undefined || args.length > 1) throw new SqlProblem(`${name}() requires one argument`, at);
  return castTo(value, { type: SqlType.date }, at);
};

const zoned: Special = (_name, _args, at) => {
  throw new SqlProblem("AT TIME ZONE is not supported: times are in the query's time zone", at);
};

const specials: Readonly<Record<string, Special>> = {
  now,
  transaction_timestamp: now,
  statement_timestamp: now,
  concat: texts,
  concat_ws: texts,
  round: rounding,
  trunc: rounding,
  extract: field,
  date_part: field,
  date_trunc: field,
  split_part: splitting,
  replace: replacing,
  substring: cutting,
  date: asDate,
  timezone: zoned,
};

/** Functions that can be called only through special syntax. */
const unnamed: ReadonlySet<string> = new Set(['timezone']);

/** Names of all supported functions. */
export const functionNames: ReadonlySet<string> = new Set(
  [...rowFunctions, ...Object.keys(specials), 'measure', ...aggregateNames, ...windowFunctions].filter(
    name => !unnamed.has(name),
  ),
);
