import { expect, test } from 'vitest';
import { getSpec } from '../../../src/client/operations/account.js';
import { json } from '../fake-service.js';

test('returns the OpenAPI document of the platform', async () => {
  const document = { openapi: '3.1.0', paths: { '/api/v1/spec': {} } };
  const seen: string[] = [];
  const fetch = async (url: RequestInfo | URL) => {
    seen.push(String(url));
    return json(document);
  };
  expect(await getSpec({ baseUrl: 'https://platform.example', token: 'a-key', fetch })).toEqual(document);
  expect(seen).toEqual(['https://platform.example/api/v1/spec']);
});
