import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Literal } from '../tree.js';
import { typeWords } from './common-type.js';
import { decimalText, maxDigits } from './decimal-text.js';
import { intervalText } from './interval-literal.js';
import { dateText, timestampText } from './time-literal.js';

const wholeNumber = /^\s*[+-]?\d+\s*$/;
const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const truths: ReadonlySet<string> = new Set(['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1']);
const falsehoods: ReadonlySet<string> = new Set(['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0']);

/** A constant of a type. Long numbers, days, moments and intervals are text. */
export function literal(type: SqlType, value: Literal['value']): Literal {
  return { kind: 'literal', type, value };
}

/**
 * Reads the text of a constant as a type, as Postgres does, with nothing that hangs on settings or on today.
 * @throws SqlProblem where it can't be read.
 */
export function literalOf(type: SqlType, text: string, at: number | undefined): Literal {
  const value = readValue(type, text);
  if (value === undefined) throw new SqlProblem(`${shown(text)} can't be read as ${typeWords(type)}${hint(type)}`, at);
  return literal(type, value);
}

function readValue(type: SqlType, text: string): Literal['value'] | undefined {
  switch (type) {
    case SqlType.boolean:
      return truth(text);
    case SqlType.integer:
      return within(text, 31n) === undefined ? undefined : Number(text);
    case SqlType.bigint:
      return within(text, 63n);
    case SqlType.numeric:
    case SqlType.ratio:
      return decimalText(text);
    case SqlType.double:
      return number.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case SqlType.date:
      return dateText(text);
    case SqlType.timestamp:
      return timestampText(text);
    case SqlType.interval:
      return intervalText(text);
    case SqlType.text:
    case SqlType.unknown:
    case SqlType.other:
      return text;
  }
}

function truth(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (truths.has(word)) return true;
  return falsehoods.has(word) ? false : undefined;
}

function within(text: string, bits: bigint): string | undefined {
  if (!wholeNumber.test(text)) return undefined;
  const value = BigInt(text.trim().replace('+', ''));
  return value >= -(2n ** bits) && value < 2n ** bits ? String(value) : undefined;
}

/** The caller's own constant, cut: it stands in the statement that was sent. */
function shown(text: string): string {
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

function hint(type: SqlType): string {
  if (type === SqlType.date) return ': write YYYY-MM-DD';
  if (type === SqlType.timestamp) return ': write YYYY-MM-DD HH:MM:SS';
  if (type === SqlType.interval) return ': write a number and a unit, like 3 days';
  return type === SqlType.numeric ? `: a number has ${maxDigits} digits at most` : '';
}
