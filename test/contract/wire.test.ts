import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { JsonObject, recordOf } from '../../src/contract/wire.js';

describe('JsonObject', () => {
  it('preserves every key', () => {
    const value = { constructor: 1, 'a.b': null, nested: { c: [2] } };
    expect(JsonObject.parse(value)).toEqual(value);
  });

  it.each([[[]], [null], ['{}'], [1]])('rejects %j', value => {
    expect(JsonObject.safeParse(value).success).toBe(false);
  });
});

describe('recordOf', () => {
  it('validates every value and names the key of an invalid one', () => {
    const result = recordOf(z.string()).safeParse({ a: 'x', toString: 1 });
    expect(result.error?.issues.map(issue => issue.path)).toEqual([['toString']]);
  });
});
