import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeIssues } from '../../src/contract/messages.js';

const Shape = z.strictObject({
  query: z.optional(z.string().check(z.maxLength(3))),
  limit: z.optional(z.int().check(z.gte(0))),
  kind: z.optional(z.enum(['table', 'chart'])),
  names: z.optional(z.array(z.string()).check(z.minLength(1))),
  owner: z.optional(z.strictObject({ id: z.number() })),
});

function problemsOf(input: unknown): string {
  const result = Shape.safeParse(input);
  return result.success ? '' : describeIssues('body', result.error.issues);
}

describe('describeIssues', () => {
  it.each<[string, unknown, string]>([
    ['a missing field', { owner: {} }, 'body.owner.id: is required'],
    ['another type', { query: 7 }, 'body.query: must be a string, not a number'],
    ['null', { query: null }, 'body.query: must be a string, not null'],
    ['a list instead of an object', [], 'body: must be an object, not an array'],
    ['a number with a fraction', { limit: 1.5 }, 'body.limit: must be a whole number'],
    ['a negative number', { limit: -1 }, 'body.limit: must be 0 or greater'],
    ['a long text', { query: 'long' }, 'body.query: must have at most 3 characters'],
    ['an empty list', { names: [] }, 'body.names: must not be empty'],
    ['an unknown value', { kind: 'map' }, 'body.kind: must be one of "table", "chart"'],
    ['a misspelled key', { querry: '' }, 'body: Unknown key "querry". Did you mean "query"?'],
    ['unknown keys', { a: 1, limits: 1 }, 'body: Unknown key "a"; body: Unknown key "limits". Did you mean "limit"?'],
  ])('describes %s', (_, input, message) => {
    expect(problemsOf(input)).toBe(message);
  });

  it('truncates keys of the caller', () => {
    expect(problemsOf({ ['x'.repeat(1000)]: 1 })).toHaveLength(300);
  });
});
