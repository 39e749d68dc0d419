import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc, { casesAtDepth } from '../../../property.js';
import { type Answer, expectEqual, type Strictness } from './corpus/answer.js';
import { isOrdered, namesMeasure, oursOf, postgresOf } from './corpus/case.js';
import { corpus } from './corpus/corpus.js';
import { corpusCubes } from './corpus/cubes.js';
import { measures } from './corpus/model.js';
import { type CorpusWorlds, engines, startCorpus } from './corpus/start.js';
import { madeBy } from './dice.js';
import { mutated } from './mutate.js';
import { answerOrReason } from './refusal.js';
import { soundSql } from './sound-sql.js';

let worlds: CorpusWorlds;

beforeAll(async () => {
  worlds = await startCorpus();
});

afterAll(() => worlds?.close());

async function expectAsOnPostgres(text: string, answer: Answer, strictness: Strictness): Promise<void> {
  const expected = await worlds.postgres.ask(postgresOf(text)).catch((error: Error) => error);
  // Postgres rejects full joins on some conditions that the platform supports.
  if (expected instanceof Error && expected.message.startsWith('FULL JOIN is only')) return;
  // Segments are conditions of the model, not columns of a table.
  if (expected instanceof Error && /\bdear\b/i.test(text)) return;
  if (expected instanceof Error)
    expect.fail(`Postgres rejects it (${expected.message}), the platform accepts it: ${text}`);
  try {
    expectEqual(answer, expected, strictness);
  } catch (error) {
    throw new Error(`It is answered otherwise on Postgres: ${text}`, { cause: error });
  }
}

/** Constructs with several correct results, and `*`, which also expands to measures. */
const open = /\b(LIMIT|OFFSET|FETCH|ROWS?|ROW_NUMBER|LAG|LEAD|NTILE|\w+_VALUE|TABLE)\b|\*\s*FROM|\.\*/i;
/** Matches names of measures that are not called. */
const measure = new RegExp(`\\b(?:${Object.keys(measures).join('|')})\\b(?!\\()`, 'i');

describe.each(engines)('on %s', engine => {
  const ask = (text: string) => answerOrReason(text, worlds.ours[engine].ask(text));

  it('generated statements return the same results as Postgres', async () => {
    let [answered, refused] = [0, 0];
    const statements = madeBy(dice => soundSql(dice, corpusCubes));
    const property = fc.asyncProperty(statements, async text => {
      const answer = await ask(text);
      if (typeof answer === 'string') refused += 1;
      else {
        answered += 1;
        await expectAsOnPostgres(text, answer, { ordered: isOrdered(text), exactTypes: !namesMeasure(text) });
      }
    });
    await fc.assert(property, { seed: 7, numRuns: casesAtDepth(300), endOnFailure: true });
    expect(answered / (answered + refused)).toBeGreaterThan(0.6);
  });

  it('mutated statements are rejected or give the results of Postgres', async () => {
    const statements = Object.values(corpus).flat().map(oursOf);
    const mutations = madeBy(dice => mutated(dice, dice.pick(statements)));
    const property = fc.asyncProperty(mutations, async text => {
      const answer = await ask(text);
      const isOpen = [open, measure].some(pattern => pattern.test(text.replaceAll(/'[^']*'/g, "''")));
      // If a key was removed, the remaining keys may not determine the order.
      if (typeof answer !== 'string' && !isOpen) {
        await expectAsOnPostgres(text, answer, { ordered: false, exactTypes: false });
      }
    });
    await fc.assert(property, { seed: 7, numRuns: casesAtDepth(3000), endOnFailure: true });
  });
});
