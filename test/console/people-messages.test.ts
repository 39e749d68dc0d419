import { describe, expect, it } from 'vitest';
import { english, loadLanguage, peopleMessages, withName } from '../../src/console/people/people-messages.js';

const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? [];

describe('Messages of the console', () => {
  it.each(['ar', 'de', 'es', 'fr', 'ja'])('are complete in %s, with the placeholders of English', async language => {
    const { messages } = await loadLanguage([`${language}-XX`]);
    expect(Object.keys(messages)).toEqual(Object.keys(peopleMessages));
    expect(Object.values(messages).map(placeholders)).toEqual(Object.values(peopleMessages).map(placeholders));
    const translated = Object.entries(messages).filter(([key, text]) => text !== Reflect.get(peopleMessages, key));
    expect(translated.length).toBeGreaterThan(Object.keys(peopleMessages).length * 0.85);
  });

  it('are those of the first language that is available', async () => {
    expect(await loadLanguage(['nl', 'fr-CA', 'de'])).toMatchObject({ language: 'fr' });
    expect(await loadLanguage(['en-GB', 'de'])).toBe(english);
    expect(await loadLanguage(['nl', 'constructor'])).toBe(english);
  });

  it('contain names literally', () => {
    expect(withName('Delete {name}?', '$& <b>')).toBe('Delete $& <b>?');
  });
});
