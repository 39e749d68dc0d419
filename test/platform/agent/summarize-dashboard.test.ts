import { afterEach, describe, expect, it } from 'vitest';
import type { AgentDashboard } from '../../../src/platform/agent/agent.js';
import { createAnalyst } from '../../../src/platform/agent/analyst/analyst.js';
import { summarizeDashboard } from '../../../src/platform/agent/summarize-dashboard.js';
import { calling, type LlmReply, saying } from './language-model/fake-llm.js';
import { startAgent } from './language-model/run-agent.js';
import { fakeData } from './tools/fake-data.js';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const dashboard: AgentDashboard = {
  publicId: 'abcdefabcdef',
  title: 'Orders',
  controls: [],
  tiles: [{ widgetId: 'tile', title: 'Orders', description: '', query: { measures: ['orders.count'] } }],
  selected: [],
};

const says = (text: string): LlmReply => ({ pieces: [saying([text])] });

async function summarize(replies: readonly LlmReply[], signal = new AbortController().signal) {
  const { agent, llm } = await startAgent(replies);
  closers.push(llm.close);
  const options = { dashboard, data: fakeData().data, now: new Date('2026-07-01'), timezone: 'UTC', locale: 'de' };
  const summary = summarizeDashboard({ analyst: createAnalyst(), model: agent }, { ...options, signal });
  return { llm, summary };
}

describe('A summary by a language model', () => {
  it('is the final answer of the model, which knows the reports and can query them', async () => {
    const input = { query: { measures: ['orders.count'] }, queryTitle: 'Orders', description: 'Orders' };
    const query: LlmReply = { pieces: [calling([['dataQuery', JSON.stringify(input)]])] };
    const { llm, summary } = await summarize([query, says('Orders grew.\n\nMost came from Spain.')]);
    expect(await summary).toEqual(['Orders grew.', 'Most came from Spain.']);
    const [first] = llm.requests;
    expect(JSON.stringify(first?.body.messages)).toMatch(/orders\.count.*Summarize this dashboard/s);
    expect(first?.body.tools?.map(tool => tool.function.name)).toContain('dataQuery');
  });

  it('is plain text without links, tables and characters that reorder text', async () => {
    const hostile = '# **Orders** [grew](https://evil.example)\u202E by \\*9\\*\n\n| a | b |\n|---|---|\n\n\n';
    const { summary } = await summarize([says(hostile)]);
    expect(await summary).toEqual(['Orders grew by *9*']);
  });

  it('is limited in length', async () => {
    const { summary } = await summarize([says(Array.from({ length: 9 }, () => 'x'.repeat(2000)).join('\n\n'))]);
    const paragraphs = await summary;
    expect(paragraphs.map(({ length }) => length)).toEqual([601, 601, 601, 601, 601]);
  });

  it('fails with the model, and when it is aborted', async () => {
    const { summary } = await summarize([{ status: 401 }]);
    await expect(summary).rejects.toMatchObject({ status: 503 });
    const aborted = await summarize([{ ...says('never'), ending: 'never' }], AbortSignal.abort());
    await expect(aborted.summary).rejects.toThrow();
  });
});
