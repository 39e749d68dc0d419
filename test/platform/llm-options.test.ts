import { expect, test } from 'vitest';
import { checkLlm } from '../../src/platform/llm-options.js';

const refusalOf = (given: object): string => {
  try {
    checkLlm({ baseUrl: 'https://llm.example/v1', model: 'm', apiKey: 'the-secret-key', ...given });
    return '';
  } catch (error) {
    return String(error);
  }
};

test.each(['https://llm.example', 'https://llm.example:8443/v1/', 'http://localhost:11434/v1', 'http://[::1]:1/v1'])(
  'a model can be asked at %s',
  baseUrl => expect(refusalOf({ baseUrl })).toBe(''),
);

test.each([
  'http://llm.example/v1',
  'http://127.0.0.1.example/v1',
  'ftp://localhost/v1',
  'llm.example/v1',
  '',
  'https://user:password@llm.example/v1',
  'https://llm.example/v1?key=x',
  'https://llm.example/v1#x',
])('no model is asked at %s', baseUrl => {
  const told = refusalOf({ baseUrl });
  expect(told).toContain('The base URL of the language model (PA_LLM_BASE_URL) must');
  expect(told).not.toContain('the-secret-key');
});

test('a model has a name, and a key fits a header', () => {
  expect(refusalOf({ model: ' ' })).toContain('must have a name');
  for (const apiKey of ['', 'a b', 'a\nb', 'ä'])
    expect(refusalOf({ apiKey })).toContain('The key of the language model');
});
