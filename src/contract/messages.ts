import * as z from 'zod/mini';
import { nearestName } from './nearest-name.js';

// zod/mini returns "Invalid input" for all issues until messages are set. Only Node code imports this module, because
// pages do not need the messages and should not load them.
z.config({ localeError: messageOf });

type Issue = Parameters<z.core.$ZodErrorMap>[0];
type Bound = Extract<Issue, { code: 'too_big' | 'too_small' }>;

/**
 * Describes an issue in words that follow the name of the field, such as `must not be empty`. Unknown keys get one line
 * each.
 */
function messageOf(issue: Issue): string {
  if (issue.input === undefined && isAboutType(issue)) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}${describeReceived(issue.expected, issue.input)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(printValue).join(', ')}`;
    case 'too_big':
      return boundMessage(issue, issue.maximum, ['at most', 'or less', 'less than']);
    case 'too_small':
      return boundMessage(issue, issue.minimum, ['at least', 'or greater', 'greater than']);
    case 'invalid_format':
      return formats[issue.format] ?? (issue.pattern === undefined ? 'is invalid' : `must match ${issue.pattern}`);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return issue.keys.map(key => unknownKey(key, issue.inst)).join('\n');
    case 'invalid_union':
      return 'does not match any of the supported forms';
    case 'invalid_key':
      return 'has an invalid key';
    default:
      return 'is invalid';
  }
}

function isAboutType({ code }: Issue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  null: 'null',
  object: 'an object',
  record: 'an object',
  tuple: 'an array',
};

const formats: Readonly<Record<string, string>> = {
  base64: 'must be base64',
  datetime: 'must be an ISO 8601 date and time',
  email: 'must be an email address',
  url: 'must be a URL such as https://example.com',
  uuid: 'must be a UUID',
};

function describeReceived(expected: string, input: unknown): string {
  if (typeof input === 'number') return expected === 'int' ? '' : ', not a number';
  const kind = Array.isArray(input) ? 'array' : typeof input;
  const type = input === null ? 'null' : kind;
  return `, not ${typeNames[type] ?? `a ${type}`}`;
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'entry' };

function boundMessage(
  { code, origin, inclusive, exact }: Bound,
  bound: number | bigint,
  [inLength, inValue, beyond]: readonly [string, string, string],
): string {
  const unit = units[origin];
  if (unit === undefined) return inclusive === false ? `must be ${beyond} ${bound}` : `must be ${bound} ${inValue}`;
  if (code === 'too_small' && Number(bound) === 1 && exact !== true) return 'must not be empty';
  const plural = Number(bound) === 1 ? unit : unit.replace(/y$/, 'ie').concat('s');
  return `must have ${exact === true ? 'exactly' : inLength} ${bound} ${plural}`;
}

/** Maximum length of the description of one issue, because it may contain a key that the client sent. */
const maxIssueLength = 300;

/** Describes the first 5 issues with their fields: `body.settings.locale: must have at most 20 characters`. */
export function describeIssues(where: string, issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 5)
    .flatMap(({ path, message }) =>
      message.split('\n').map(line => `${[where, ...path.map(String)].join('.')}: ${line}`.slice(0, maxIssueLength)),
    )
    .slice(0, 5)
    .join('; ');
}

/** Returns the message for an unknown key. Suggests the most similar key of `schema`, the schema of the object. */
function unknownKey(key: string, schema: unknown): string {
  const known = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
  const near = nearestName(key, known);
  return `Unknown key ${JSON.stringify(key)}${near === undefined ? '' : `. Did you mean "${near}"?`}`;
}
