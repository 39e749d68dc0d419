import { afterEach, describe, expect, it, vi } from 'vitest';
import { PaAuthenticationError, PaConnectionError, PaError, PaTimeoutError } from '../../src/client/errors.js';
import { drawingProblem, toProblem } from '../../src/controllers/problem.js';

const kindOf = (error: unknown) => toProblem(error).kind;

describe('toProblem', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('distinguishes what a viewer can do', () => {
    expect(kindOf(new PaConnectionError('x'))).toBe('unreachable');
    expect(kindOf(new PaTimeoutError('x'))).toBe('timeout');
    expect(kindOf(new PaAuthenticationError('x', { status: 401 }))).toBe('session');
    expect(kindOf(new PaError('not_allowed', 'x', { status: 403 }))).toBe('denied');
    expect(kindOf(new PaError('not_found', 'x', { status: 404 }))).toBe('missing');
    expect(kindOf(new PaError('bad_request', 'x', { status: 400 }))).toBe('rejected');
    expect(kindOf(new PaError('server_failed', 'x', { status: 500 }))).toBe('failed');
  });

  it('uses the status if a newer platform sends an unknown code', () => {
    expect(kindOf(new PaError('row_policy', 'x', { status: 403 }))).toBe('denied');
    expect(kindOf(new PaError('novel', 'x'))).toBe('failed');
  });

  it('reports offline if the browser is offline', () => {
    vi.stubGlobal('navigator', { onLine: false });
    expect(kindOf(new PaConnectionError('x'))).toBe('offline');
    expect(kindOf(new PaError('not_found', 'x', { status: 404 }))).toBe('missing');
  });

  it('preserves the details that support needs', () => {
    const error = new PaError('server_failed', 'The query failed.', { status: 500, requestId: 'r-1' });
    expect(toProblem(error)).toMatchObject({ status: 500, requestId: 'r-1', message: 'The query failed.' });
    expect(drawingProblem('The specification is not JSON.')).toMatchObject({ kind: 'drawing', status: null });
  });

  it('drops the message of other errors', () => {
    expect(toProblem(new Error('Jane Doe')).message).toBe('');
    expect(toProblem('Jane Doe').message).toBe('');
  });
});
