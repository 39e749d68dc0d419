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
  // Postgres has joins that it can't do, without their meaning being in doubt.
  if (expected instanceof Error && expected.message.startsWith('FULL JOIN is only')) return;
  // A segment is a condition of the model's, which no table has.
  if (expected instanceof Error && /\bdear\b/i.test(text)) return;
  if (expected instanceof Error) expect.fail(`Postgres refuses it (${expected.message}), we answer it: ${text}`);
  try {
    expectEqual(answer, expected, strictness);
  } catch (error) {
    throw new Error(`It is answered otherwise on Postgres: ${text}`, { cause: error });
  }
}

/** What leaves open which rows it means: then two answers may be right. And a star, which means measures too. */
const open = /\b(LIMIT|OFFSET|FETCH|ROWS?|ROW_NUMBER|LAG|LEAD|NTILE|\w+_VALUE|TABLE)\b|\*\s*FROM|\.\*/i;
/** Measures as they may stand without a call. */
const measure = new RegExp(`\\b(?:${Object.keys(measures).join('|')})\\b(?!\\()`, 'i');

describe.each(engines)('on %s', engine => {
  const ask = (text: string) => answerOrReason(text, worlds.ours[engine].ask(text));

  it('a statement made by rule means what it means on Postgres', async () => {
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
    await fc.assert(property, { seed: 7, numRuns: casesAtDepth(300, 60), endOnFailure: true });
    expect(answered / (answered + refused)).toBeGreaterThan(0.6);
  });

  it('a statement that was spoilt is refused, or means what it means on Postgres', async () => {
    const statements = Object.values(corpus).flat().map(oursOf);
    const spoilt = madeBy(dice => mutated(dice, dice.pick(statements)));
    const property = fc.asyncProperty(spoilt, async text => {
      const answer = await ask(text);
      const isOpen = [open, measure].some(pattern => pattern.test(text.replaceAll(/'[^']*'/g, "''")));
      // What keys are left of an order may not settle it.
      if (typeof answer !== 'string' && !isOpen) {
        await expectAsOnPostgres(text, answer, { ordered: false, exactTypes: false });
      }
    });
    await fc.assert(property, { seed: 7, numRuns: casesAtDepth(3000), endOnFailure: true });
  });
});
