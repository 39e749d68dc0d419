import { describe, expect, it } from 'vitest';
import {
  brokenProblem,
  connectionProblem,
  problemOfStatus,
  UpstreamProblem,
} from '../../../../src/platform/data/upstream/upstream-problem.js';
import { abortedError } from '../../../../src/platform/errors.js';

const failure = (code: unknown) => Object.assign(new Error('Authorization: eyJ.secret'), { code });
const noteOf = (problem: unknown) => (problem instanceof UpstreamProblem ? problem.note : '');

describe('a connection error', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'no trusted certificate'],
    ['CERT_HAS_EXPIRED', 'no trusted certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'no trusted certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'no trusted certificate'],
    ['HPE_INVALID_CONSTANT', 'not HTTP'],
    ['ENOTFOUND', "can't be reached"],
    ['ETIMEDOUT', "can't be reached"],
  ])('%s has a message for the operator', (code, sentence) => {
    const problem = connectionProblem(failure(code));
    expect(noteOf(problem)).toContain(sentence);
    expect(noteOf(problem)).toContain(`(${code})`);
    expect(problem.status).toBe(502);
  });

  it.each([failure('eyJ.a b'), failure(7), failure('x'.repeat(100)), 'eyJ.secret', null])(
    'omits the quoted text: %s',
    error => {
      for (const problem of [connectionProblem(error), brokenProblem(error)]) {
        expect(noteOf(problem)).toContain('(no code)');
        expect([noteOf(problem), problem.message, problem.stack].join()).not.toContain('eyJ');
      }
    },
  );

  it('stays unchanged if it is a PlatformError', () => {
    const aborted = abortedError();
    expect(connectionProblem(aborted)).toBe(aborted);
    expect(brokenProblem(aborted)).toBe(aborted);
  });
});

describe('a status', () => {
  it.each([
    [101, 502],
    [206, 502],
    [304, 502],
    [401, 502],
    [403, 502],
    [407, 502],
    [429, 503],
    [431, 502],
    [500, 500],
    [501, 500],
    [503, 503],
    [504, 503],
  ])('%i becomes %i', (status, expected) => {
    expect(problemOfStatus(status)?.status).toBe(expected);
  });

  it.each([400, 404, 413, 422, 499])('%i is an error of the caller', status => {
    expect(problemOfStatus(status)).toBeNull();
  });
});
