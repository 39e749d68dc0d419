import { afterEach, describe, expect, it, vi } from 'vitest';
import { PaAuthenticationError, PaConnectionError, PaError, PaTimeoutError } from '../../src/client/errors.js';
import { drawingProblem, toProblem } from '../../src/controllers/problem.js';

const kindOf = (error: unknown) => toProblem(error).kind;

describe('toProblem', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('tells apart what a viewer can do about it', () => {
    expect(kindOf(new PaConnectionError('x'))).toBe('unreachable');
    expect(kindOf(new PaTimeoutError('x'))).toBe('timeout');
    expect(kindOf(new PaAuthenticationError('x', { status: 401 }))).toBe('session');
    expect(kindOf(new PaError('not_allowed', 'x', { status: 403 }))).toBe('denied');
    expect(kindOf(new PaError('not_found', 'x', { status: 404 }))).toBe('missing');
    expect(kindOf(new PaError('bad_request', 'x', { status: 400 }))).toBe('rejected');
    expect(kindOf(new PaError('server_failed', 'x', { status: 500 }))).toBe('failed');
  });

  it('goes by the status where a newer platform sends a code of its own', () => {
    expect(kindOf(new PaError('row_policy', 'x', { status: 403 }))).toBe('denied');
    expect(kindOf(new PaError('novel', 'x'))).toBe('failed');
  });

  it('says offline where the browser knows it is', () => {
    vi.stubGlobal('navigator', { onLine: false });
    expect(kindOf(new PaConnectionError('x'))).toBe('offline');
    expect(kindOf(new PaError('not_found', 'x', { status: 404 }))).toBe('missing');
  });

  it('keeps what a support desk asks for', () => {
    const error = new PaError('server_failed', 'The query failed.', { status: 500, requestId: 'r-1' });
    expect(toProblem(error)).toMatchObject({ status: 500, requestId: 'r-1', message: 'The query failed.' });
    expect(drawingProblem('The specification is not JSON.')).toMatchObject({ kind: 'drawing', status: null });
  });

  it('repeats no words of an error that is not the client’s', () => {
    expect(toProblem(new Error('Jane Doe')).message).toBe('');
    expect(toProblem('Jane Doe').message).toBe('');
  });
});
