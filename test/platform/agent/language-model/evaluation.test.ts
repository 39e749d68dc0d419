import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalyst } from '../../../../src/platform/agent/analyst/analyst.js';
import { createModelAgent } from '../../../../src/platform/agent/language-model/model-agent.js';
import { testDepth } from '../../../property.js';
import { ask, kindOf } from '../analyst/run-question.js';
import { shopQuestions } from '../analyst/shop-questions.js';
import { shopWorld, type World } from '../analyst/worlds.js';
import { calling, type LlmReply, type LlmRequest, saying, startLlm } from './fake-llm.js';

/**
 * Runs the questions about the shop through a simulated language model. The model reads each question with
 * `readQuestion`, runs the queries that `readQuestion` returns, and answers. The queries must be those of the built-in
 * analyst.
 */

const analyst = createAnalyst();
let shop: World;
let llm: Awaited<ReturnType<typeof startLlm>>;
beforeAll(async () => {
  [shop, llm] = await Promise.all([shopWorld(), startLlm(reply)]);
});
afterAll(async () => {
  shop.close();
  await llm.close();
});

interface ReadResult {
  readonly understood?: string;
  readonly unclear?: string;
  readonly queries?: readonly object[];
}

/** A quick run includes every third question. `analyst/questions.test.ts` includes all of them. */
const questions = shopQuestions.filter((_, index) => testDepth() === 'deep' || index % 3 === 0);

/** The simulated model, whose next step depends only on the last message. */
function reply({ body: { messages } }: LlmRequest): LlmReply {
  const last = messages.at(-1);
  const calls = messages.findLast(({ role }) => role === 'assistant')?.tool_calls ?? [];
  if (last?.role === 'user')
    return { pieces: [calling([['readQuestion', JSON.stringify({ question: last.content })]])] };
  if (calls[0]?.function.name !== 'readQuestion') return { pieces: [saying(['Done.'])] };
  const { unclear, queries = [], understood = '' }: ReadResult = JSON.parse(String(last?.content));
  if (unclear !== undefined) return { pieces: [saying([`Unclear: ${unclear}`])] };
  return {
    pieces: [
      calling(queries.map(query => ['dataQuery', JSON.stringify({ query, queryTitle: understood.slice(0, 200) })])),
    ],
  };
}

describe('a language model that reads questions with the tool', () => {
  it('runs the queries of the built-in analyst, and none where it runs none', async () => {
    const agent = createModelAgent({ baseUrl: llm.baseUrl, apiKey: null, model: 'fixed' });
    const differences: unknown[] = [];
    let answered = 0;
    for (const [input] of questions) {
      const context = shop.context();
      const reader = analyst.questionReader(context.data, { timezone: shop.timezone, now: () => shop.now });
      const tools = new Map([...context.tools, [reader.name, reader]]);
      const world = { ...shop, context: () => ({ ...context, tools }) };
      const [own, models] = [await ask(analyst, shop, input), await ask(agent, world, input)];
      // A ranking by change depends on a first query, which the tool does not run.
      if (own.queries.some(({ filters }) => JSON.stringify(filters ?? []).includes('"or"'))) continue;
      if (kindOf(own) === 'answers') answered += 1;
      const same = JSON.stringify(own.queries) === JSON.stringify(models.queries);
      if (!same) differences.push([input, own.queries, models.queries, models.text.slice(0, 200)]);
    }
    expect(differences).toEqual([]);
    expect(answered).toBeGreaterThan(questions.length / 4);
  });

  it('sends the tool with its description, and no rows of the data with it', async () => {
    const [first] = llm.requests;
    expect(first?.body.tools?.map(tool => tool.function.name)).toContain('readQuestion');
    const read = llm.requests
      .flatMap(({ body }) => body.messages)
      .filter(({ role, content }) => role === 'tool' && String(content).includes('"understood"'));
    expect(read.length).toBeGreaterThan(questions.length / 4);
    for (const { content } of read) expect(Object.keys(JSON.parse(String(content)))).not.toContain('data');
  });
});
