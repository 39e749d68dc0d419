import { and, or, type SQL, sql } from 'drizzle-orm';
import SCIMMY from 'scimmy';
import { lowerAscii } from '../../../contract/lower-ascii.js';
import { lowerAsciiSql } from '../../db/lower-ascii.js';
import { invalidFilter } from './scim-error.js';

/** A comparison: `eq "Ann"`, `not pr`. */
export interface Comparison {
  readonly isNegated: boolean;
  readonly operator: Operator;
  /** Value in the filter: text, a number, a boolean or `null`; `undefined` for `pr`. */
  readonly value: unknown;
}

/** Operators of a comparison (RFC 7644, section 3.4.2.2). */
const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'pr', 'gt', 'ge', 'lt', 'le'] as const;
type Operator = (typeof operators)[number];

/** Comparisons that must all match, by lowercase path without the URN of the core schema. */
export type Condition = ReadonlyMap<string, readonly Comparison[]>;

const maxLength = 2_000;
/**
 * Maximum number of logical operators, because the library multiplies alternatives that are combined by "and": n pairs
 * give 2^n alternatives.
 */
const maxOperators = 15;
/**
 * Maximum number of logical operators in the filter of a path. Lower, because one request may contain a thousand paths.
 */
export const maxPathOperators = 3;
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/**
 * Parses a filter into alternatives, at least one of which must match.
 * @throws PlatformError 400 `invalidFilter`
 */
export function parseFilter(text: string, operatorLimit = maxOperators): readonly Condition[] {
  if (text.length > maxLength) throw invalidFilter(`The filter has more than ${maxLength} characters.`);
  // Also counts words in quoted values, because only the library can determine what is quoted.
  const words = text.match(/\b(?:and|or|not)\b/gi) ?? [];
  if (words.length > operatorLimit) throw invalidFilter(`The filter has more than ${operatorLimit} logical operators.`);
  if (hasInheritedName(text)) throw invalidFilter('The filter contains an attribute name that is not allowed.');
  let alternatives: readonly unknown[];
  try {
    alternatives = [...new SCIMMY.Types.Filter(text)];
  } catch (cause) {
    // For some malformed filters, the library throws TypeErrors with messages about its own code.
    throw invalidFilter(`The filter is invalid. An example of a valid filter: userName eq "ann@acme.example"`, cause);
  }
  return alternatives.map(alternative => new Map(flatten(alternative, '')));
}

const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype).map(name => name.toLowerCase()));

/**
 * Whether a filter contains the name of a property that every object inherits. The library follows the names of a path
 * from a plain object, so that such a name would change the prototype of all objects. The names that reach a prototype
 * are also rejected within quoted values, because only the library can determine what is quoted.
 */
function hasInheritedName(text: string): boolean {
  if (/__proto__|(?:constructor|prototype)\s*[.[]|[.[]\s*(?:constructor|prototype)/i.test(text)) return true;
  const words = text.replace(/"[^"]*"/g, '').match(/[\w$]+/g) ?? [];
  return words.some(word => inheritedNames.has(word.toLowerCase()));
}

/** Converts the nested objects of the library to paths. */
function* flatten(node: unknown, path: string): Generator<[string, readonly Comparison[]]> {
  if (Array.isArray(node)) {
    const list: readonly unknown[] = node.every(Array.isArray) ? node : [node];
    yield [path.replace(coreUrn, ''), list.map(readComparison)];
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      yield* flatten(value, path === '' ? key.toLowerCase() : `${path}.${key.toLowerCase()}`);
    }
  }
}

function readComparison(expression: unknown): Comparison {
  const parts: readonly unknown[] = Array.isArray(expression) ? expression : [];
  const isNegated = parts[0] === 'not';
  const [name, value] = isNegated ? parts.slice(1) : parts;
  const operator = operators.find(each => each === String(name).toLowerCase());
  if (!operator) throw invalidFilter(`The filter has an unknown operator. Use one of ${operators.join(', ')}.`);
  if (operator !== 'pr' && value === undefined) throw invalidFilter(`The operator ${operator} requires a value.`);
  return { isNegated, operator, value };
}

/** How the values of an attribute are compared: `text` ignores case, `exact` does not. */
export type FieldKind = 'text' | 'exact' | 'boolean' | 'time';

/** An expression that a filter can compare. */
export interface Field {
  readonly kind: FieldKind;
  readonly expression: SQL;
}

/** Comparisons by name of the sub-attribute; the key '' has the comparisons of the attribute itself. */
export type AttributeComparisons = ReadonlyMap<string, readonly Comparison[]>;

/** Converts the comparisons of an attribute to SQL; `null` if the resource has no such attribute. */
export type AttributeToSql = (name: string, comparisons: AttributeComparisons) => SQL | null;

/**
 * Converts a filter to SQL. Comparisons of several sub-attributes apply to the same value of a multi-valued attribute,
 * as in `emails[type eq "work" and value co "@acme"]`.
 * @throws PlatformError 400 `invalidFilter`
 */
export function filterToSql(text: string, attributeToSql: AttributeToSql): SQL | undefined {
  const convert = ([name, comparisons]: readonly [string, AttributeComparisons]): SQL => {
    const converted = attributeToSql(name, comparisons);
    if (converted) return converted;
    const path = [name, ...comparisons.keys()].join('.').slice(0, 100);
    throw invalidFilter(`Filters by ${JSON.stringify(path)} are not supported.`);
  };
  return or(...parseFilter(text).map(condition => and(...[...byAttribute(condition)].map(convert))));
}

function byAttribute(condition: Condition): Map<string, Map<string, readonly Comparison[]>> {
  const grouped = new Map<string, Map<string, readonly Comparison[]>>();
  for (const [path, comparisons] of condition) {
    // Splits at the first dot after the URN, because the URN of an extension contains a dot itself.
    const [, name = path, sub = ''] = /^((?:urn:.*:)?[^.]*)(?:\.(.*))?$/.exec(path) ?? [];
    const group = grouped.get(name) ?? new Map<string, readonly Comparison[]>();
    grouped.set(name, group.set(sub, comparisons));
  }
  return grouped;
}

/** Compares several fields; `null` if one of them is unknown. */
export function compareFields(
  comparisons: AttributeComparisons,
  fieldOf: (sub: string) => Field | undefined,
): SQL | null {
  const compared: SQL[] = [];
  for (const [sub, each] of comparisons) {
    const field = fieldOf(sub);
    if (!field) return null;
    compared.push(compareAll(field, each));
  }
  return and(...compared) ?? null;
}

/** Compares a field with all comparisons. */
function compareAll(field: Field, comparisons: readonly Comparison[]): SQL {
  return and(...comparisons.map(comparison => compare(field, comparison))) ?? sql`true`;
}

function compare(field: Field, comparison: Comparison): SQL {
  const holds = compareOnce(field, comparison);
  return comparison.isNegated ? sql`not coalesce(${holds}, false)` : holds;
}

function compareOnce({ kind, expression }: Field, { operator, value }: Comparison): SQL {
  if (operator === 'pr')
    return kind === 'text' ? sql`coalesce(${expression}, '') <> ''` : sql`${expression} is not null`;
  if (value === null) return operator === 'ne' ? sql`${expression} is not null` : sql`${expression} is null`;
  if (kind === 'boolean') return compareOrdered(expression, operator, sql`${readBoolean(value)}::boolean`);
  if (kind === 'time') return compareOrdered(expression, operator, sql`${readTime(value)}::timestamptz`);
  const fold = (text: SQL) => (kind === 'text' ? lowerAsciiSql(text) : text);
  const [left, right] = [fold(expression), fold(sql`${String(value)}::text`)];
  switch (operator) {
    case 'co':
      return sql`position(${right} in ${left}) > 0`;
    case 'sw':
      return sql`starts_with(${left}, ${right})`;
    case 'ew':
      return sql`right(${left}, length(${right})) = ${right}`;
    default:
      return compareOrdered(left, operator, right);
  }
}

const symbols: Partial<Record<Operator, SQL>> = {
  eq: sql`=`,
  ne: sql`is distinct from`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
};

function compareOrdered(left: SQL, operator: Operator, right: SQL): SQL {
  const symbol = symbols[operator];
  if (!symbol) throw invalidFilter(`The operator ${operator} compares strings only.`);
  return sql`${left} ${symbol} ${right}`;
}

function readBoolean(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidFilter('The filter compares a boolean attribute with a value that is not true or false.');
}

function readTime(value: unknown): string {
  const time = new Date(String(value));
  if (Number.isNaN(time.getTime())) throw invalidFilter('The filter compares a time with a value that is not a time.');
  return time.toISOString();
}

/** True if an item of a multi-valued attribute has the values of a filter, for example `type eq "work"`. */
export function matches(item: Readonly<Record<string, unknown>>, filter: readonly Condition[]): boolean {
  return filter.some(condition =>
    [...condition].every(([path, comparisons]) => {
      const name = Object.keys(item).find(key => key.toLowerCase() === path);
      const own = name === undefined ? undefined : item[name];
      return comparisons.every(comparison => matchesOnce(own, comparison) !== comparison.isNegated);
    }),
  );
}

function matchesOnce(own: unknown, { operator, value }: Comparison): boolean {
  const [left, right] = [own ?? '', value ?? ''].map(each => lowerAscii(String(each))) as [string, string];
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'pr':
      return left !== '';
    default:
      throw invalidFilter(`The operator ${operator} is not supported in paths.`);
  }
}
