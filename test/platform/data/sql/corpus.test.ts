import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryProblem, ValueProblem } from '../../../../src/platform/data/engines/query-problem.js';
import { expectEqual } from './corpus/answer.js';
import { isOrdered, namesMeasure, oursOf, postgresOf } from './corpus/case.js';
import { corpus } from './corpus/corpus.js';
import { failsOnBoth, refusedByBoth, refusedByUs } from './corpus/refused.js';
import { type CorpusWorlds, engines, startCorpus } from './corpus/start.js';
import { answerOrReason } from './refusal.js';

let worlds: CorpusWorlds;

beforeAll(async () => {
  worlds = await startCorpus();
});

afterAll(() => worlds?.close());

describe.each(engines)('on %s', engine => {
  const reasonOf = async (text: string) => {
    const reason = await answerOrReason(text, worlds.ours[engine].ask(text));
    return typeof reason === 'string' ? reason : expect.fail(`It was answered: ${JSON.stringify(reason)}`);
  };

  describe.each(Object.entries(corpus))('%s give the results of Postgres', (_, cases) => {
    it.each(cases.map(one => [oursOf(one), one] as const))('%s', async (ours, one) => {
      const strictness = { ordered: isOrdered(ours), exactTypes: !namesMeasure(ours) };
      expectEqual(await worlds.ours[engine].ask(ours), await worlds.postgres.ask(postgresOf(one)), strictness);
    });
  });

  describe('a statement that Postgres rejects', () => {
    it.each(refusedByBoth)('is rejected if it is invalid: %s', async text => {
      await expect(worlds.postgres.ask(text)).rejects.toThrow();
      expect(await reasonOf(text)).toMatch(/\(line \d+, column \d+\)\.$/);
    });

    it.each(failsOnBoth)('returns no rows if it fails during execution: %s', async text => {
      await expect(worlds.postgres.ask(text)).rejects.toThrow();
      await reasonOf(text);
    });
  });

  describe('an error on rows names the reason', () => {
    it.each([
      ['SELECT 2147483647 + 1', ValueProblem.range],
      ['SELECT 10000000000 * 10000000000', ValueProblem.range],
      ['SELECT 3000000000::integer', ValueProblem.range],
      ['SELECT LN(0)', ValueProblem.logarithm],
      ['SELECT LOG(-1)', ValueProblem.logarithm],
      ['SELECT SQRT(-1)', ValueProblem.root],
      ['SELECT SQRT(-1::float8)', ValueProblem.root],
      ['SELECT 1 / 0', ValueProblem.division],
      ['SELECT (SELECT id FROM orders) AS many', QueryProblem.rows],
    ])('%s', async (text, reason) => {
      expect(await reasonOf(text)).toBe(reason);
    });
  });

  describe('an unsupported statement', () => {
    it.each(refusedByUs)('is rejected: %s', async text => {
      await reasonOf(text);
    });
  });
});
