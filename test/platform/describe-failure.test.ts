import { expect, test } from 'vitest';
import { describeFailure, LoggableError } from '../../src/platform/errors.js';

test('describes an error by name and stack without its message', () => {
  const text = describeFailure(new TypeError('the value\nwas a@b.example'));
  expect(text).toMatch(/^TypeError\n\s+at /);
  expect(text).toContain('describe-failure.test.ts');
  expect(text).not.toContain('a@b.example');
});

test('includes the message of a LoggableError', () => {
  const text = describeFailure(new LoggableError('The engine rejected a statement: no column "delaay"'));
  expect(text).toMatch(/^LoggableError: The engine rejected a statement: no column "delaay"\n\s+at /);
});

test('describes a database error by code and constraint, including its cause', () => {
  const cause = Object.assign(new Error('Key (email)=(a@b.example)'), { code: '23505', constraint: 'users_email' });
  const text = describeFailure(new Error('Failed query: … params: a@b.example', { cause }));
  expect(text).toContain('(cause: Error code=23505 constraint=users_email');
  expect(text).not.toContain('a@b.example');
});

test('omits details that can contain text', () => {
  expect(describeFailure(Object.assign(new Error('x'), { code: 'a secret text' }))).not.toContain('secret');
});

test('describes a value that is not an error by its type', () => {
  expect(describeFailure('a secret text')).toBe('string');
  expect(describeFailure(undefined)).toBe('undefined');
});
