import { describe, expect, it, vi } from 'vitest';
import type { PaError } from '../../../src/client/errors.js';
import { call } from '../../../src/client/http/connection.js';
import { request } from '../../../src/client/http/request.js';
import { getDeployment, getDeployments } from '../../../src/contract/deployments.js';
import { exchangeSession, getDashboard, revokeSession } from '../../../src/contract/embed.js';
import { meta } from '../../../src/contract/meta.js';
import { uploadFile } from '../../../src/contract/model-uploads.js';
import { upsertWorkbookBySlug } from '../../../src/contract/workbooks.js';
import { dashboard, json, publicId } from '../fake-service.js';

const baseUrl = 'https://platform.example';
const page = { items: [], data: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } };

function answering(answer: Response | (() => Promise<Response>)) {
  return vi.fn<typeof fetch>(async () => (typeof answer === 'function' ? answer() : answer));
}

const failure = (promise: Promise<unknown>): Promise<PaError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );

describe('a request', () => {
  it('combines the parts of an operation', async () => {
    const fetch = answering(json(dashboard));
    await request(getDashboard, { baseUrl, params: { publicId }, authorization: 'Bearer key', fetch });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe(`https://platform.example/api/v1/embed/dashboard/${publicId}`);
    expect(init).toMatchObject({ method: 'GET', credentials: 'omit', redirect: 'error', cache: 'no-store' });
    expect(init?.headers).toEqual({ accept: 'application/json', authorization: 'Bearer key' });
  });

  it('preserves the path of the base URL and encodes parameters', async () => {
    const fetch = answering(json({}, 404));
    const params = { deploymentId: 7, slug: 'a/b ?#' };
    await failure(request(upsertWorkbookBySlug, { baseUrl: 'https://p.example/base/', params, body: {}, fetch }));
    expect(fetch.mock.calls[0]?.[0]).toBe(
      'https://p.example/base/api/v1/deployments/7/workbooks/by-slug/a%2Fb%20%3F%23',
    );
  });

  it('omits unset query parameters', async () => {
    const fetch = answering(json(page));
    await request(getDeployments, { baseUrl, query: { first: 5, after: undefined }, fetch });
    expect(fetch.mock.calls[0]?.[0]).toBe('https://platform.example/api/v1/deployments?first=5');
  });

  it('sends the fields of a form', async () => {
    const fetch = answering(new Response(null, { status: 204 }));
    const form = { transaction: '{"id":"1"}', fileName: 'model/a.yml', file: new File(['cubes: []'], 'a.yml') };
    await request(uploadFile, { baseUrl, params: { deploymentId: 7 }, form, fetch });
    const { body, headers } = fetch.mock.calls[0]?.[1] ?? {};
    expect(body instanceof FormData && [...body.keys()]).toEqual(['transaction', 'fileName', 'file']);
    expect(headers).not.toHaveProperty('content-type');
  });

  it.each(['.', '..', ''])('rejects a parameter that would change the path (%j)', async slug => {
    const fetch = answering(json({}));
    const error = await failure(
      request(upsertWorkbookBySlug, { baseUrl, params: { deploymentId: 1, slug }, body: {}, fetch }),
    );
    expect(error.code).toBe('bad_request');
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    [getDashboard, { publicId: 'OrdersWin1' }, 'publicId must be 12 letters (A-Z, a-z) or digits.'],
    [getDeployment, { deploymentId: 'one' }, 'deploymentId must be a whole number.'],
    [getDeployment, { deploymentId: 1.5 }, 'deploymentId must be a whole number.'],
    [getDeployment, { deploymentId: 0 }, 'deploymentId must be greater than 0.'],
  ])('states what a path parameter must be: %#', async (operation, params, message) => {
    const error = await failure(request(operation, { baseUrl, params, fetch: answering(json({})) }));
    expect(error).toMatchObject({ code: 'bad_request', message });
  });

  it('rejects a parameter that the operation does not accept', async () => {
    const fetch = answering(json({}));
    const error = await failure(request(getDashboard, { baseUrl, params: { publicId: 'x' }, fetch }));
    expect(error).toMatchObject({ code: 'bad_request' });
    expect(error.message).toContain('publicId');
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    'http://platform.example',
    'http://10.0.0.1',
    'http://127.0.0.1.evil.example',
    'ftp://platform.example',
    'https://user:secret@platform.example',
    'platform.example',
    '',
  ])('rejects the base URL %j and sends nothing', async address => {
    const fetch = answering(json(page));
    const error = await failure(request(getDeployments, { baseUrl: address, fetch }));
    expect(error.code).toBe('invalid_options');
    expect(error.message).not.toContain('secret');
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each(['http://localhost:4100', 'http://127.0.0.1:4100', 'http://[::1]:4100', 'http://app.localhost'])(
    'allows plain HTTP for loopback hosts (%s)',
    async address => {
      await expect(request(getDeployments, { baseUrl: address, fetch: answering(json(page)) })).resolves.toEqual(page);
    },
  );

  it('rejects a credential with a line break without quoting it', async () => {
    const fetch = answering(json(page));
    const error = await failure(request(getDeployments, { baseUrl, authorization: 'Bearer se\ncret', fetch }));
    expect(error.code).toBe('invalid_options');
    expect(`${error.message} ${error.stack}`).not.toContain('cret');
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('a response', () => {
  it('preserves unknown fields and enum values', async () => {
    const newer = { ...dashboard, status: 'sleeping', moonPhase: 'new' };
    const read = await request(getDashboard, { baseUrl, params: { publicId }, fetch: answering(json(newer)) });
    expect(read).toEqual(newer);
  });

  it('can be empty on success', async () => {
    const fetch = answering(new Response(null, { status: 204 }));
    const sessionId = '0'.repeat(32);
    await expect(request(revokeSession, { baseUrl, body: { sessionId }, fetch })).resolves.toBeUndefined();
  });

  it('names the field that does not match the contract, but not its value', async () => {
    const broken = { ...dashboard, versionId: 'private' };
    const error = await failure(
      request(getDashboard, { baseUrl, params: { publicId }, fetch: answering(json(broken)) }),
    );
    expect(error.code).toBe('invalid_response');
    expect(error.message).toContain('versionId');
    expect(error.message).not.toContain('private');
  });

  it('reports a body that is not JSON', async () => {
    const fetch = answering(new Response('<html>secret</html>'));
    const error = await failure(request(getDeployments, { baseUrl, fetch }));
    expect(error.code).toBe('invalid_response');
    expect(error.message).not.toContain('secret');
  });

  it.each([
    [{ message: 'from the platform' }, 'from the platform'],
    [{ error: 'from the Data API' }, 'from the Data API'],
    [{ detail: 'from SCIM' }, 'from SCIM'],
    [{ message: 'Deployment not found.', error: 'Not Found' }, 'Deployment not found.'],
    [{ message: 7, error: '' }, 'GET platform.example/api/v1/deployments returned 400.'],
  ])('provides the error message of %j', async (body, message) => {
    expect((await failure(request(getDeployments, { baseUrl, fetch: answering(json(body, 400)) }))).message).toBe(
      message,
    );
  });

  it.each([
    [400, 'bad_request', 'PaRequestError'],
    [401, 'not_authenticated', 'PaAuthenticationError'],
    [403, 'not_allowed', 'PaPermissionError'],
    [404, 'not_found', 'PaNotFoundError'],
    [409, 'conflict', 'PaConflictError'],
    [429, 'rate_limited', 'PaRateLimitError'],
    [502, 'server_failed', 'PaServerError'],
  ])('maps the status %i to its code', async (status, code, name) => {
    const answer = new Response('<html>', { status, headers: { 'x-request-id': 'r-1' } });
    expect(await failure(request(getDeployments, { baseUrl, fetch: answering(answer) }))).toMatchObject({
      status,
      code,
      name,
      requestId: 'r-1',
    });
  });

  it('provides the error code and the request id of the body', async () => {
    const body = { message: 'again', code: 'upsert_branch_changed', requestId: 'r-2' };
    const error = await failure(request(getDeployments, { baseUrl, fetch: answering(json(body, 409)) }));
    expect(error).toMatchObject({ code: 'upsert_branch_changed', requestId: 'r-2' });
  });

  it('maps 403 "Invalid token" to rejected credentials for the Data API only', async () => {
    const body = { error: 'Invalid token' };
    const data = await failure(request(meta, { baseUrl, fetch: answering(json(body, 403)) }));
    const platform = await failure(request(getDeployments, { baseUrl, fetch: answering(json(body, 403)) }));
    expect([data.name, platform.name]).toEqual(['PaAuthenticationError', 'PaPermissionError']);
  });

  it('is redacted if it contains credentials', async () => {
    const message = `key-4711 eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.abc ${'a1'.repeat(16)}`;
    const fetch = answering(json({ message }, 400));
    const error = await failure(request(getDeployments, { baseUrl, authorization: 'Bearer key-4711', fetch }));
    expect(error.message).toBe('[removed] [removed] [removed]');
  });
});

describe('a missing response', () => {
  it('reports a failed connection without the message of fetch', async () => {
    const fetch = answering(() => Promise.reject(new TypeError('invalid header Bearer key-4711')));
    const error = await failure(request(getDeployments, { baseUrl, authorization: 'Bearer key-4711', fetch }));
    expect(error).toMatchObject({ name: 'PaConnectionError', code: 'connection_failed', status: null });
    expect(`${error.message}${error.stack}${error.cause}`).not.toContain('4711');
  });

  it('reports an incomplete body', async () => {
    const body = new ReadableStream({ start: controller => controller.error(new Error('reset')) });
    const error = await failure(request(getDeployments, { baseUrl, fetch: answering(new Response(body)) }));
    expect(error.name).toBe('PaConnectionError');
  });

  it('ends at the time limit, including the body', async () => {
    vi.useFakeTimers();
    const fetch = answering(new Response(new ReadableStream({})));
    const failed = failure(request(getDeployments, { baseUrl, timeoutMs: 500, fetch }));
    await vi.advanceTimersByTimeAsync(500);
    expect((await failed).name).toBe('PaTimeoutError');
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('ends when the caller aborts, and sends nothing if aborted before', async () => {
    const fetch = answering(() => new Promise(() => {}));
    const controller = new AbortController();
    const failed = failure(request(getDeployments, { baseUrl, signal: controller.signal, fetch }));
    controller.abort();
    expect((await failed).name).toBe('PaAbortError');
    expect((await failure(request(getDeployments, { baseUrl, signal: controller.signal, fetch }))).code).toBe(
      'aborted',
    );
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('a platform connection', () => {
  it('sends its token as a bearer token and uses its fetch and time limit', async () => {
    const fetch = answering(json({ id: 1, name: 'a', deploymentUrl: 'https://d.example', creationStep: 'ready' }));
    const connection = { baseUrl, token: 'key', fetch };
    await expect(call(getDeployment, connection, { params: { deploymentId: 1 } })).resolves.toMatchObject({ id: 1 });
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get('authorization')).toBe('Bearer key');
  });

  it('sends a one-time session without any credential', async () => {
    const fetch = answering(json({ token: 't' }));
    await request(exchangeSession, { baseUrl, body: { sessionId: 'x' }, fetch });
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).has('authorization')).toBe(false);
    expect(fetch.mock.calls[0]?.[1]?.body).toBe('{"sessionId":"x"}');
  });
});
