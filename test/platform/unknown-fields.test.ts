import { expect, test } from 'vitest';
import { ChatRequest, ChatSessionSettings, renameChatThread } from '../../src/contract/chat.js';
import { LoadRequest, Query } from '../../src/contract/query.js';
import { SqlRequest } from '../../src/contract/sql.js';
import { dropUnknownFields } from '../../src/platform/unknown-fields.js';

const bodies = [LoadRequest, SqlRequest, ChatRequest, renameChatThread.body];

test('a top-level field that no version knows yet is ignored', () => {
  for (const schema of bodies) {
    const known = Object.fromEntries(Object.keys(schema.shape).map(name => [name, { unknownInside: 1 }]));
    const sent = { ...known, baseRequestId: 'a', clientVersion: 3, signal: {}, user: null };
    expect(dropUnknownFields(schema, sent)).toEqual(known);
  }
});

test.each([
  ...Object.keys(Query.shape),
  ...Object.keys(ChatSessionSettings.shape),
  'subqueryJoins',
  'memberExpressions',
  'filter',
  'filtres',
  'Filters',
  'segment',
  'time_dimensions',
  'limits',
  'security_context',
])('%s stays for the schema to reject', name => {
  for (const schema of bodies) {
    if (name in schema.shape) continue;
    const sent = JSON.parse(`{"${name}": 1}`);
    expect(dropUnknownFields(schema, sent), name).toEqual(sent);
  }
});

test.each([
  ['qurey', LoadRequest],
  ['Query', SqlRequest],
  ['sesionSettings', ChatRequest],
  ['chatid', ChatRequest],
] as const)('a misspelled %s stays for the schema to reject', (name, schema) => {
  expect(dropUnknownFields(schema, { [name]: 1 })).toEqual({ [name]: 1 });
});

test('__proto__ and bodies with very many unknown fields stay for the schema to reject', () => {
  for (const schema of bodies) {
    const proto = JSON.parse('{"__proto__": {"cache": "no-cache"}}');
    expect(Object.keys(Object(dropUnknownFields(schema, proto)))).toEqual(['__proto__']);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`newField${index}`, index]));
    expect(dropUnknownFields(schema, many)).toEqual(many);
  }
});

test.each([null, 7, 'x', [], [{ a: 1 }]])('a body that is no object stays as it is: %j', body => {
  expect(dropUnknownFields(LoadRequest, body)).toBe(body);
});
