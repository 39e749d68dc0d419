import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.js';
import { type Answer, expectEqual } from './corpus/answer.js';
import { isOrdered, namesMeasure, oursOf, postgresOf } from './corpus/case.js';
import { corpus } from './corpus/corpus.js';
import { corpusCubes } from './corpus/cubes.js';
import { type PostgresWorld, startPostgres } from './corpus/on-postgres.js';
import { type OurWorld, startDuckDb } from './corpus/on-us.js';
import { madeBy } from './dice.js';
import { mutated } from './mutate.js';
import { soundSql } from './sound-sql.js';

let postgres: PostgresWorld;
let duckdb: OurWorld;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([startPostgres(), startDuckDb()]);
}, 60_000);

afterAll(async () => {
  await Promise.all([postgres?.close(), duckdb?.close()]);
});

/** Our answer; null where the statement was refused as one refuses a statement: with a reason, in our own words. */
async function answerOf(text: string): Promise<Answer | null> {
  try {
    return await duckdb.ask(text);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw new Error(`It broke on: ${text}`, { cause: error });
    expect({ text, status: error.status }).toEqual({ text, status: 400 });
    expect(error.message).toMatch(/^\S.*\.$/su);
    expect(error.message).not.toMatch(
      /\b(Binder|Catalog|Parser|Conversion|Invalid Input|Out of Range) Error|\bLINE \d/,
    );
    return null;
  }
}

async function expectAsOnPostgres(text: string, answer: Answer, exactTypes: boolean): Promise<void> {
  const expected = await postgres.ask(postgresOf(text)).catch((error: Error) => error);
  if (expected instanceof Error) expect.fail(`Postgres refuses it (${expected.message}), we answer it: ${text}`);
  try {
    expectEqual(answer, expected, { ordered: isOrdered(text), exactTypes });
  } catch (error) {
    throw new Error(`It is answered otherwise on Postgres: ${text}`, { cause: error });
  }
}

/** What leaves open which rows it means, or in which order: then two answers may be right. */
const open = /\b(LIMIT|OFFSET|FETCH|ROWS?|ROW_NUMBER|LAG|LEAD|NTILE|\w+_VALUE|STRING_AGG)\b|\bDISTINCT ON\b/i;

describe('a statement made by rule', () => {
  it('means what it means on Postgres', { timeout: 120_000 }, async () => {
    let [answered, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        madeBy(dice => soundSql(dice, corpusCubes)),
        async text => {
          const answer = await answerOf(text);
          if (answer === null) refused += 1;
          else {
            answered += 1;
            await expectAsOnPostgres(text, answer, !namesMeasure(text));
          }
        },
      ),
      { numRuns: 1000, endOnFailure: true },
    );
    expect(answered / (answered + refused)).toBeGreaterThan(0.6);
  });
});

describe('a statement that was spoilt', () => {
  const statements = Object.values(corpus).flat().map(oursOf);

  it('is refused for a reason, or means what it means on Postgres', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        madeBy(dice => mutated(dice, dice.pick(statements))),
        async text => {
          const answer = await answerOf(text);
          if (answer !== null && !open.test(text) && !namesMeasure(text)) await expectAsOnPostgres(text, answer, true);
        },
      ),
      { numRuns: 4000, endOnFailure: true },
    );
  });
});
