import { describe, expect, it } from 'vitest';
import { readWords, stemOf } from '../../../../../src/platform/agent/analyst/vocabulary/words.js';

describe('readWords', () => {
  const quoted = (text: string) => readWords(text).flatMap(word => (word.quote === null ? [] : [word.text]));

  it('recognizes single quotation marks', () => {
    expect(quoted("a song with 'Hey you' in its name, or ('So')")).toEqual(['Hey', 'you', 'So']);
  });

  it('does not take an apostrophe for a quotation mark', () => {
    expect(quoted("drivers' ages and cars' weights, don't, '80s cars and trucks' loads")).toEqual([]);
  });
});

describe('stemOf', () => {
  it('returns the same stem for `number` and `numbers`', () => {
    expect(stemOf('numbers')).toBe(stemOf('number'));
  });
});
