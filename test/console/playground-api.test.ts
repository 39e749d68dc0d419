import { afterEach, describe, expect, it, vi } from 'vitest';
import { anyone } from '../../src/console/audience.js';
import { signIn } from '../../src/console/playground-api.js';

const address = { baseUrl: 'https://platform.example', dataApiPath: '/data-api' };
const emptyPage = {
  data: [],
  items: [],
  count: 0,
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};

afterEach(() => vi.unstubAllGlobals());

describe('playground session', () => {
  it('is revoked if it was ended before the platform had created it', async () => {
    const revoked: unknown[] = [];
    let create: (response: Response) => void = () => {};
    vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      if (request.url.endsWith('/generate-session')) return new Promise<Response>(resolve => (create = resolve));
      if (!request.url.endsWith('/session/revoke')) return Response.json(emptyPage);
      revoked.push(await request.json());
      return new Response(null, { status: 204 });
    });
    const session = (await signIn(address, 'the-key')).openSession(1, anyone);
    await vi.waitFor(() => expect(create).not.toHaveLength(0));
    session.end();
    create(Response.json({ sessionId: '0b7a4c527d324f0e9a530d6a0a3f5f11' }));
    await vi.waitFor(() => expect(revoked).toEqual([{ sessionId: '0b7a4c527d324f0e9a530d6a0a3f5f11' }]));
  });
});
