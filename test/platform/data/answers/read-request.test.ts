import '../../../../src/contract/messages.js';
import { describe, expect, it } from 'vitest';
import { readLoadParameters, readLoadRequest } from '../../../../src/platform/data/answers/read-request.js';

const body = (query: unknown, rest = {}) => JSON.stringify({ query, ...rest });
const nested = (depth: number) =>
  `{"query":{"filters":[${'{"and":['.repeat(depth)}{"member":"t.a","operator":"set"}${']}'.repeat(depth)}]}}`;

describe('readRequest', () => {
  it('reads a query with options', () => {
    const query = { measures: ['t.count'], renewQuery: true };
    expect(readLoadRequest(body(query, { cache: 'stale-if-slow', queryType: 'multi' }))).toEqual({
      query,
      cache: 'stale-if-slow',
      queryType: 'multi',
    });
  });

  it.each([
    ['not JSON', '{', /^body: not valid JSON/],
    ['no object', '[]', /^body: /],
    ['no query', '{}', /^body\.query: /],
    ['no queries', body([]), /^body\.query: /],
    ['one bad query of several', body([{}, { limit: 0 }]), /^body\.query\.1\.limit: /],
    ['an empty filter', body({ filters: [{}] }), /^body\.query\.filters\.0\.member: /],
    ['a filter of a wrong and', body({ filters: [{ and: 5 }] }), /^body\.query\.filters\.0\.and: /],
    ['a reserved key', '{"query":{"order":{"__proto__":"asc"}}}', /^body\.query\.order: __proto__/],
    ['a very long name', body({ ['x'.repeat(9000)]: 1 }), /^body\.query: .{0,200}$/],
    ['an unknown field', body({ subqueryJoins: [] }), /^body\.query: .*subqueryJoins/],
    ['an invalid member name', body({ measures: ['t.count"; DROP'] }), /^body\.query\.measures\.0: must be a member/],
    ['a member expression', body({ measures: [{ expression: [] }] }), /^body\.query\.measures\.0: /],
    ['a limit above the maximum', body({ limit: 50_001 }), /^body\.query\.limit: /],
    [
      'an unknown operator',
      body({ filters: [{ member: 't.a', operator: 'sql', values: ['1'] }] }),
      /^body\.query\.filters\.0\.operator: /,
    ],
    [
      'an unknown operator in a group',
      body({ filters: [{ or: [{ and: [{ member: 't.a', operator: 'sql' }] }] }] }),
      /^body\.query\.filters\.0\.or\.0\.and\.0\.operator: /,
    ],
    [
      'an invalid granularity name',
      body({ timeDimensions: [{ dimension: 't.d', granularity: "1'" }] }),
      /granularity: /,
    ],
    ['deeply nested filters', nested(20_000), /^body: nested too deeply/],
    ['deeply nested lists', `{"query":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, /^body/],
  ])('rejects %s and names the field', (_name, text, message) => {
    expect(() => readLoadRequest(text)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(message) }),
    );
  });

  it('limits the length of its message', () => {
    const filters = Array.from({ length: 2000 }, () => ({ member: 'x'.repeat(50), operator: 'set' }));
    expect(() => readLoadRequest(body({ filters }))).toThrow(/^.{20,600}$/);
  });

  it('removes __proto__', () => {
    expect(() => readLoadRequest('{"query":{"__proto__":{"measures":["t.count"]}}}')).toThrow();
    expect(({} as { measures?: unknown }).measures).toBeUndefined();
  });

  it('reads the parameters of a URL', () => {
    const parameters = new URLSearchParams({ query: '{"measures":["t.count"]}', queryType: 'multi' });
    expect(readLoadParameters(parameters)).toEqual({ query: { measures: ['t.count'] }, queryType: 'multi' });
  });

  it.each([
    ['', /^query: send the query as JSON/],
    ['query={}&other=1', /^parameters: unknown parameter "other"/],
    ['query={}&query={}', /^parameters: query can be set only once/],
    ['query={', /^query: not valid JSON/],
    ['query={}&cache=never', /^parameters\.cache: /],
  ])('rejects the parameters "%s"', (text, message) => {
    expect(() => readLoadParameters(new URLSearchParams(text))).toThrow(message);
  });
});
