import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDeployments } from '../../src/client/index.js';
import { embedSessionHandler } from '../../src/node/index.js';
import { startTestingPlatform, type TestingPlatform } from '../../src/testing/index.js';

let platform: TestingPlatform;
let other: TestingPlatform;
beforeAll(async () => {
  platform = await startTestingPlatform({ groups: ['sales'] });
  other = await startTestingPlatform();
});
afterAll(() => platform?.close());
afterAll(() => other?.close());

describe('a platform for tests', () => {
  it('creates sessions for a handler of a host', async () => {
    const { baseUrl, apiKey, fetch } = platform;
    const handler = embedSessionHandler({
      baseUrl,
      apiKey,
      fetch,
      grantFor: async () => ({ deploymentId: 1, externalId: 'ann' }),
    });
    const response = await handler(new Request('http://host.example/session', { method: 'POST' }));
    expect([response.status, await response.json()]).toEqual([
      200,
      { sessionId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
  });

  it('accepts the token of a session and applies its access rules', async () => {
    const token = await platform.embedToken({ externalId: 'ann', groups: ['sales'] });
    const connection = { baseUrl: platform.baseUrl, token, fetch: platform.fetch };
    const { items } = await listDeployments(connection);
    expect(items.map(({ id }) => id)).toEqual([1]);
  });

  it('is isolated from other platforms', async () => {
    expect(other.apiKey).not.toBe(platform.apiKey);
    const headers = { authorization: `Bearer ${platform.apiKey}` };
    expect((await other.fetch(`${other.baseUrl}/api/v1/deployments`, { headers })).status).toBe(401);
  });
});
