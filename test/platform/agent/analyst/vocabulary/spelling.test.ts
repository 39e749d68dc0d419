import { describe, expect, it } from 'vitest';
import { indexValues } from '../../../../../src/platform/agent/analyst/vocabulary/dimension-values.js';
import { type Lexicon, makeLexicon } from '../../../../../src/platform/agent/analyst/vocabulary/lexicon.js';
import { makeSpeller } from '../../../../../src/platform/agent/analyst/vocabulary/spelling.js';
import { TimeSlicer } from '../../../../../src/platform/runtime/time-slicer.js';
import { thingsMeta } from '../fake-world.js';

const pace = new TimeSlicer();
const lexicon: Lexicon = await makeLexicon(thingsMeta, pace);
const [member] = lexicon.members.values();
if (member === undefined) throw new Error('the model has no member');
const speller = makeSpeller(lexicon);
const valuesOf = async (values: readonly string[]) => [await indexValues(member, values, true, pace)];

describe('a word with an error in it', () => {
  it('is taken for the nearest of the model and of the values', async () => {
    const values = await valuesOf(['Atlanta', 'Augusta', 'Boston']);
    expect(speller.correct('wieght', values)).toEqual(['weight']);
    expect(speller.correct('Atlnta', values)).toEqual(['atlanta']);
    expect(speller.correct('bostn', values)).toEqual(['boston']);
    expect(speller.correct('zzzzz', values)).toEqual([]);
  });

  it('is looked for among the values of the question at hand', async () => {
    expect(speller.correct('bostn', await valuesOf(['Atlanta']))).toEqual([]);
    expect(speller.correct('bostn', await valuesOf(['Boston']))).toEqual(['boston']);
  });

  it('is several words where they are equally near', async () => {
    expect(speller.correct('barn', await valuesOf(['bark', 'bard']))).toEqual(['bark', 'bard']);
  });

  it('is none of very many that are alike', async () => {
    const letters = [...'abcdefghijk'];
    const alike = letters.flatMap(a => letters.flatMap(b => letters.map(c => `abcdefghijk${a}${b}${c}`)));
    expect(speller.correct('abcdefghijkaax', await valuesOf(alike.slice(0, 3)))).not.toEqual([]);
    expect(speller.correct('abcdefghijkaax', await valuesOf(alike))).toEqual([]);
  });
});
