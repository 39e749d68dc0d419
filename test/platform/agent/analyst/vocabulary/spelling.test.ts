import { describe, expect, it } from 'vitest';
import { indexValues } from '../../../../../src/platform/agent/analyst/vocabulary/dimension-values.js';
import { type Lexicon, makeLexicon } from '../../../../../src/platform/agent/analyst/vocabulary/lexicon.js';
import { makeSpeller } from '../../../../../src/platform/agent/analyst/vocabulary/spelling.js';
import { TimeSlicer } from '../../../../../src/platform/runtime/time-slicer.js';
import { thingsMeta } from '../fake-world.js';

const timeSlicer = new TimeSlicer();
const lexicon: Lexicon = await makeLexicon(thingsMeta, timeSlicer);
const [member] = lexicon.members.values();
if (member === undefined) throw new Error('the model has no member');
const speller = makeSpeller(lexicon);
const valuesOf = async (values: readonly string[]) => [
  await indexValues(member, { values, complete: true }, timeSlicer),
];

describe('a misspelled word', () => {
  it('is corrected to the most similar word of the model or the values', async () => {
    const values = await valuesOf(['Atlanta', 'Augusta', 'Boston']);
    expect(speller.correct('wieght', values)).toEqual(['weight']);
    expect(speller.correct('Atlnta', values)).toEqual(['atlanta']);
    expect(speller.correct('bostn', values)).toEqual(['boston']);
    expect(speller.correct('zzzzz', values)).toEqual([]);
  });

  it('is no longer word that begins with a word of the model, and no word for an order', async () => {
    expect(speller.correct('averages', [])).toEqual(['average']);
    expect(speller.correct('averageproportion', [])).toEqual([]);
    expect(speller.correct('last', await valuesOf(['least']))).toEqual([]);
  });

  it('is compared with the values of the current question', async () => {
    expect(speller.correct('bostn', await valuesOf(['Atlanta']))).toEqual([]);
    expect(speller.correct('bostn', await valuesOf(['Boston']))).toEqual(['boston']);
  });

  it('has several corrections if they are equally similar', async () => {
    expect(speller.correct('barn', await valuesOf(['bark', 'bard']))).toEqual(['bark', 'bard']);
  });

  it('has no correction if too many words are similar', async () => {
    const letters = [...'abcdefghijk'];
    const alike = letters.flatMap(a => letters.flatMap(b => letters.map(c => `abcdefghijk${a}${b}${c}`)));
    expect(speller.correct('abcdefghijkaax', await valuesOf(alike.slice(0, 3)))).not.toEqual([]);
    expect(speller.correct('abcdefghijkaax', await valuesOf(alike))).toEqual([]);
  });
});
