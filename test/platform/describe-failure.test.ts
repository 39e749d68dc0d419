import { expect, test } from 'vitest';
import { describeFailure, LoggableError } from '../../src/platform/errors.js';

test('an error is told by kind and place, never by its message', () => {
  const text = describeFailure(new TypeError('the value\nwas a@b.example'));
  expect(text).toMatch(/^TypeError\n\s+at /);
  expect(text).toContain('describe-failure.test.ts');
  expect(text).not.toContain('a@b.example');
});

test('a message that was made for the log is told', () => {
  const text = describeFailure(new LoggableError('The engine refused a statement: no column "delaay"'));
  expect(text).toMatch(/^LoggableError: The engine refused a statement: no column "delaay"\n\s+at /);
});

test('a database error is told by code and constraint, its cause included', () => {
  const cause = Object.assign(new Error('Key (email)=(a@b.example)'), { code: '23505', constraint: 'users_email' });
  const text = describeFailure(new Error('Failed query: … params: a@b.example', { cause }));
  expect(text).toContain('(cause: Error code=23505 constraint=users_email');
  expect(text).not.toContain('a@b.example');
});

test('a detail that could be text is left out', () => {
  expect(describeFailure(Object.assign(new Error('x'), { code: 'a secret text' }))).not.toContain('secret');
});

test('what is no error is told by its type', () => {
  expect(describeFailure('a secret text')).toBe('string');
  expect(describeFailure(undefined)).toBe('undefined');
});
