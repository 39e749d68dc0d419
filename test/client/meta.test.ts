import { expect, it } from 'vitest';
import { meta } from '../../src/client/meta.js';
import { json } from './fake-service.js';

it('reads the model with the bare token', async () => {
  const cube = { name: 'flights', title: 'Flights', type: 'cube', measures: [], dimensions: [], segments: [] };
  const seen: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    seen.push(String(input), new Headers(init?.headers).get('authorization'));
    return json({ cubes: [cube] });
  };
  await expect(meta({ baseUrl: 'https://data.example/data-api', token: 'jwt', fetch })).resolves.toEqual({
    cubes: [cube],
  });
  expect(seen).toEqual(['https://data.example/data-api/v1/meta', 'jwt']);
});
