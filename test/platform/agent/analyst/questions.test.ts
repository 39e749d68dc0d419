import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { caseQuestions, caseWorld } from './case-questions.js';
import { flightConversations, shopConversations } from './conversations.js';
import { flightQuestions } from './flight-questions.js';
import { heldOutFlightQuestions, heldOutShopQuestions } from './held-out-questions.js';
import { machineQuestions, machineWorld } from './machine-questions.js';
import { planQuestions, planWorld } from './plan-questions.js';
import { ruleConversations, ruleQuestions, shopRuleQuestions } from './rule-questions.js';
import { ask, wrongWith } from './run-question.js';
import { salesQuestions, salesWorld } from './sales-questions.js';
import { shopModel } from './shop.js';
import { shopQuestions } from './shop-questions.js';
import { ticketQuestions, ticketWorld } from './ticket-questions.js';
import { flightWorld, shopWorld, type World } from './worlds.js';

const agent = createAnalyst();
let flights: World;
let shop: World;
beforeAll(async () => {
  [flights, shop] = await Promise.all([flightWorld(), shopWorld()]);
});
afterAll(() => {
  flights.close();
  shop.close();
});

/** Returns the percentage of questions with the expected outcome, and prints the other questions. */
async function shareRight(questions: typeof flightQuestions, world: World): Promise<number> {
  const wrong: string[] = [];
  for (const [input, expected] of questions) {
    const problem = wrongWith(await ask(agent, world, input), expected, world);
    if (problem !== null) wrong.push(`  “${input}”: ${problem}`);
  }
  if (wrong.length > 0) console.log(`${wrong.length} of ${questions.length} wrong:\n${wrong.join('\n')}`);
  return 1 - wrong.length / questions.length;
}

describe('questions', () => {
  it('cover enough cases, including questions that must not be answered', () => {
    const all = [...flightQuestions, ...shopQuestions];
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(all.filter(([, expected]) => typeof expected === 'string').length).toBeGreaterThanOrEqual(30);
    expect(new Set(all.map(([input]) => input)).size).toBe(all.length);
  });

  it('about flights are interpreted as intended', async () => {
    expect(await shareRight(flightQuestions, flights)).toBeGreaterThanOrEqual(0.95);
  });

  it('about a shop are interpreted as intended', async () => {
    expect(await shareRight(shopQuestions, shop)).toBeGreaterThanOrEqual(0.95);
  });
});

describe('questions about a model that was not used in development', () => {
  it('are interpreted as intended', async () => {
    expect(await shareRight(ticketQuestions, ticketWorld())).toBeGreaterThanOrEqual(0.95);
  });
});

describe('questions with ambiguous words', () => {
  it.each(caseQuestions)('“%s”', async (input, expected) => {
    const world = caseWorld();
    expect(wrongWith(await ask(agent, world, input), expected, world)).toBeNull();
  });
});

describe('questions with other words than the titles', () => {
  it.each(machineQuestions)('“%s”', async (input, expected) => {
    const world = machineWorld();
    expect(wrongWith(await ask(agent, world, input), expected, world)).toBeNull();
  });
});

describe('questions about years, several dates, and words that are also values', () => {
  let plans: World;
  beforeAll(async () => {
    plans = await planWorld();
  });
  afterAll(() => {
    plans.close();
  });
  it.each(planQuestions)('“%s”', async (input, expected) => {
    expect(wrongWith(await ask(agent, plans, input), expected, plans)).toBeNull();
  });
});

describe('questions with two meanings', () => {
  it.each(salesQuestions)('“%s”', async (input, expected) => {
    const world = salesWorld();
    expect(wrongWith(await ask(agent, world, input), expected, world)).toBeNull();
  });
});

describe('questions that need one rule of the analyst', () => {
  it.each(ruleQuestions)('“%s”', async (input, expected) => {
    expect(wrongWith(await ask(agent, flights, input), expected, flights)).toBeNull();
  });
});

describe('questions that need one rule of the analyst and joined cubes', () => {
  it.each(shopRuleQuestions)('“%s”', async (input, expected) => {
    expect(wrongWith(await ask(agent, shop, input), expected, shop)).toBeNull();
  });
});

describe('a grouping by rows that no column names', () => {
  it.each(['how many orders per customer', 'orders by customer'])(
    'is rejected with other groupings: “%s”',
    async input => {
      const world = await shopWorld(shopModel.replace(/.*title: Customer }\n/, ''));
      const { text, queries } = await ask(agent, world, input);
      world.close();
      expect(queries).toEqual([]);
      expect(text).toContain('no column that names each “customer”. Available: Orders by Country, Orders by City');
    },
  );
});

describe('held-out paraphrases', () => {
  it('about flights are interpreted as intended', async () => {
    expect(await shareRight(heldOutFlightQuestions, flights)).toBeGreaterThanOrEqual(0.95);
  });

  it('about a shop are interpreted as intended', async () => {
    expect(await shareRight(heldOutShopQuestions, shop)).toBeGreaterThanOrEqual(0.95);
  });
});

describe('conversations', () => {
  for (const [conversation, world] of [
    ...[...flightConversations, ...ruleConversations].map(one => [one, () => flights] as const),
    ...shopConversations.map(one => [one, () => shop] as const),
  ]) {
    it(`follow up: ${conversation.map(([input]) => input).join(' / ')}`, async () => {
      const history: Awaited<ReturnType<typeof ask>>['turn'][] = [];
      for (const [input, expected] of conversation) {
        const answer = await ask(agent, world(), input, { history });
        expect([input, wrongWith(answer, expected, world())]).toEqual([input, null]);
        history.push(answer.turn);
      }
    });
  }
});
