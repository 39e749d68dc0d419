import { expect, it, vi } from 'vitest';
import { createDataService } from '../../../src/platform/data/data-service.js';
import { loadParser } from '../../../src/platform/data/sql/read-statement.js';
import { fakeEngine, fakeModel } from './fakes.js';

vi.mock('../../../src/platform/data/sql/read-statement.js', () => ({ loadParser: vi.fn() }));

it.each([
  ['never loads', () => new Promise<never>(() => {})],
  ['is missing', () => Promise.reject(new Error('no such package'))],
])('loading the SQL parser in advance blocks no caller: it %s', async (_, load) => {
  vi.mocked(loadParser).mockReset().mockImplementation(load);
  const { engine } = fakeEngine();
  const model = { current: { ...fakeModel, rehearsals: () => [] } };
  await createDataService({ engine, model }).warm();
  expect(loadParser).toHaveBeenCalledOnce();
});
