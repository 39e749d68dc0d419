import { describe, expect, it } from 'vitest';
import { indexValues, ValueIndex } from '../../../../../src/platform/agent/analyst/vocabulary/dimension-values.js';
import { type Member, makeLexicon } from '../../../../../src/platform/agent/analyst/vocabulary/lexicon.js';
import { TimeSlicer } from '../../../../../src/platform/runtime/time-slicer.js';
import fc, { casesAtDepth } from '../../../../property.js';
import { thingsMeta } from '../fake-world.js';

const timeSlicer = new TimeSlicer();
const { members } = await makeLexicon(thingsMeta, timeSlicer);
const member = (name: string): Member => {
  const found = members.get(name);
  if (found === undefined) throw new Error(`no member ${name}`);
  return found;
};
const [colour, shape] = [member('things.colour'), member('things.shape')];

async function holdersOf(colours: readonly string[], shapes: readonly string[]): Promise<ValueIndex> {
  return new ValueIndex([
    await indexValues(colour, { values: colours, complete: true }, timeSlicer),
    await indexValues(shape, { values: shapes, complete: true }, timeSlicer),
  ]);
}

describe('values that contain given stems', () => {
  it('are found in all dimensions, in any word order', async () => {
    const holders = await holdersOf(['light red', 'red, dark', 'blue'], ['circle', 'dark red square']);
    expect(holders.of(['dark', 'red'], 8)).toEqual([
      { member: colour, value: 'red, dark' },
      { member: shape, value: 'dark red square' },
    ]);
    expect(holders.of(['red', ','], 8)).toEqual([{ member: colour, value: 'red, dark' }]);
  });

  it('are empty if one stem is unknown or too many values match', async () => {
    const holders = await holdersOf(['red one', 'red two', 'red six'], []);
    expect(holders.of(['red', 'ten'], 8)).toEqual([]);
    expect(holders.of(['red'], 2)).toEqual([]);
    expect(holders.of(['red'], 3)).toHaveLength(3);
  });

  it('equal the result of scanning every value', async () => {
    const text = fc.array(fc.constantFrom('ada', 'bob', 'cy', 'dot'), { minLength: 1, maxLength: 4 });
    const texts = fc.array(text, { maxLength: 70 });
    await fc.assert(
      fc.asyncProperty(texts, texts, text, async (colours, shapes, stems) => {
        const join = (list: readonly string[]) => list.join(' ');
        const holders = await holdersOf(colours.map(join), shapes.map(join));
        const holds = (list: readonly string[]) => stems.every(stem => list.includes(stem));
        expect(holders.of(stems, 200)).toEqual([
          ...colours.filter(holds).map(list => ({ member: colour, value: join(list) })),
          ...shapes.filter(holds).map(list => ({ member: shape, value: join(list) })),
        ]);
      }),
      { numRuns: casesAtDepth(100) },
    );
  });
});
