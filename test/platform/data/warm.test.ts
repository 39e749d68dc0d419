import { expect, it, vi } from 'vitest';
import { createDataService } from '../../../src/platform/data/data-service.js';
import { loadParser } from '../../../src/platform/data/sql/read-statement.js';
import { fakeEngine, fakeModel } from './fakes.js';

vi.mock('../../../src/platform/data/sql/read-statement.js', () => ({ loadParser: vi.fn() }));

it.each([
  ['takes for ever', () => new Promise<never>(() => {})],
  ['is not to be had', () => Promise.reject(new Error('no such package'))],
])('what reads SQL is loaded ahead, and nobody waits for it: it %s', async (_, load) => {
  vi.mocked(loadParser).mockReset().mockImplementation(load);
  const { engine } = fakeEngine();
  const model = { current: { ...fakeModel, rehearsals: () => [] } };
  await createDataService({ engine, model }).warm();
  expect(loadParser).toHaveBeenCalledOnce();
});
