import { expect, test } from 'vitest';
import { describeLlm, readLlm } from '../../src/cli/serve-llm.js';

const url = 'https://llm.example/v1';

test('a language model is read from the environment, with a key where there is one', () => {
  expect(readLlm({})).toBeNull();
  expect(readLlm({ PA_LLM_BASE_URL: '', PA_LLM_MODEL: '', PA_LLM_API_KEY: '' })).toBeNull();
  expect(readLlm({ PA_LLM_BASE_URL: url, PA_LLM_MODEL: 'm' })).toEqual({ baseUrl: url, model: 'm' });
  expect(readLlm({ PA_LLM_BASE_URL: url, PA_LLM_MODEL: 'm', PA_LLM_API_KEY: '' })).not.toHaveProperty('apiKey');
  expect(readLlm({ PA_LLM_BASE_URL: url, PA_LLM_MODEL: 'm', PA_LLM_API_KEY: 'k' })).toMatchObject({ apiKey: 'k' });
});

test.each([
  [{ PA_LLM_BASE_URL: url }, 'PA_LLM_BASE_URL needs PA_LLM_MODEL'],
  [{ PA_LLM_BASE_URL: url, PA_LLM_API_KEY: 'secret' }, 'PA_LLM_BASE_URL needs PA_LLM_MODEL'],
  [{ PA_LLM_MODEL: 'm' }, 'PA_LLM_MODEL needs PA_LLM_BASE_URL'],
  [{ PA_LLM_API_KEY: 'secret' }, 'PA_LLM_API_KEY needs PA_LLM_BASE_URL'],
])('half of it is a mistake that is told: %j', (environment, told) => {
  const read = () => readLlm(environment);
  expect(read).toThrow(told);
  expect(read).not.toThrow('secret');
});

test('who answers is told in a line, without the key', () => {
  expect(describeLlm({ baseUrl: url, model: 'big-one', apiKey: 'secret' })).toBe('Chat: big-one at llm.example');
  expect(describeLlm(null)).toMatch(/^Chat: the built-in analyst, without a language model\. Set PA_LLM_BASE_URL/);
});
