import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { explainFailure } from '../../src/cli/main.js';

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

test('reports a missing package with the command that installs it', () => {
  const error = failure("Cannot find package 'hono' imported from /x/app.js", { code: 'ERR_MODULE_NOT_FOUND' });
  const sentence = explainFailure(error);
  expect(sentence).toBe(
    `The platform needs the package hono, which is not installed. Run: npm install pa-embed-platform@${manifest.version}`,
  );
});

test('returns the message for a missing module of pa-embed', () => {
  const error = failure("Cannot find module '/x/gone.js' imported from /x/app.js", { code: 'ERR_MODULE_NOT_FOUND' });
  expect(explainFailure(error)).toContain('/x/gone.js');
});

test('omits the messages of the database', () => {
  const cause = failure('Key (email)=(a@b.example) exists', { severity: 'ERROR', code: '23505' });
  expect(explainFailure(cause)).toBe('The database rejected a statement (23505).');
  const wrapped = failure('Failed query: insert … params: a@b.example', { query: 'insert', cause });
  expect(explainFailure(wrapped)).toBe('The database rejected a statement (23505).');
});

test('returns the message of other errors', () => {
  expect(explainFailure(new Error('Port 1 is in use.'))).toBe('Port 1 is in use.');
  expect(explainFailure('thrown text')).toBe('The command failed for an unknown reason.');
});
