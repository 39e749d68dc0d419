import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.js';
import { expectEqual } from './corpus/answer.js';
import { isOrdered, namesMeasure, oursOf, postgresOf } from './corpus/case.js';
import { corpus } from './corpus/corpus.js';
import { type PostgresWorld, startPostgres } from './corpus/on-postgres.js';
import { type OurWorld, startDuckDb } from './corpus/on-us.js';
import { failsOnBoth, refusedByBoth, refusedByUs } from './corpus/refused.js';

let postgres: PostgresWorld;
let duckdb: OurWorld;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([startPostgres(), startDuckDb()]);
}, 60_000);

afterAll(async () => {
  await Promise.all([postgres?.close(), duckdb?.close()]);
});

/** What is said against a statement; fails where nothing is. */
async function refusal(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    answer => expect.fail(`It was answered: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
}

/** A refusal that is the statement's fault, told in our own words. */
async function expectRefused(asked: Promise<unknown>): Promise<PlatformError> {
  const error = await refusal(asked);
  if (!(error instanceof PlatformError)) throw error;
  expect(error).toMatchObject({ status: 400 });
  expect(error.message).not.toMatch(/\b(Binder|Catalog|Parser|Conversion|Invalid Input|Out of Range) Error|\bLINE \d/);
  return error;
}

describe.each(Object.entries(corpus))('%s mean what they mean on Postgres', (_, cases) => {
  it.each(cases.map(one => [oursOf(one), one] as const))('%s', async (ours, one) => {
    const strictness = { ordered: isOrdered(ours), exactTypes: !namesMeasure(ours) };
    expectEqual(await duckdb.ask(ours), await postgres.ask(postgresOf(one)), strictness);
  });
});

describe('a statement that Postgres refuses', () => {
  it.each(refusedByBoth)('is refused where it is wrong: %s', async text => {
    await refusal(postgres.ask(text));
    const { message } = await expectRefused(duckdb.ask(text));
    expect(message).toMatch(/\(line \d+, column \d+\)\.$/);
  });

  it.each(failsOnBoth)('over its rows gets no rows: %s', async text => {
    await refusal(postgres.ask(text));
    await expectRefused(duckdb.ask(text));
  });
});

describe('a statement of what is not ours', () => {
  it.each(refusedByUs)('is refused: %s', async text => {
    await expectRefused(duckdb.ask(text));
  });
});
