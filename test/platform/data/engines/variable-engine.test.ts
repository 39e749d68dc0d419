import { describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../../../src/platform/data/engines/engine.js';
import { VariableEngine } from '../../../../src/platform/data/engines/variable-engine.js';
import { VariableTokens } from '../../../../src/platform/data/model/variables.js';

const engineWith = (value: string) => {
  const close = vi.fn(async () => undefined);
  const run = vi.fn(async () => value);
  return { close, run, dataVersion: 'a', tables: [] } as unknown as Engine;
};

describe('a data source whose token is withdrawn', () => {
  it('rejects statements and has another data version until it is replaced', async () => {
    const [before, after] = [engineWith('before'), engineWith('after')];
    const engine = new VariableEngine(before, new VariableTokens());
    expect(await engine.run('SELECT 1', [])).toBe('before');
    const { dataVersion } = engine;
    await engine.suspend();
    await engine.suspend();
    expect(before.close).toHaveBeenCalledTimes(1);
    await expect(engine.run('SELECT 1', [])).rejects.toMatchObject({ status: 503 });
    await expect(engine.stream('SELECT 1', [])).rejects.toMatchObject({ status: 503 });
    expect(engine.dataVersion).not.toBe(dataVersion);
    await engine.replace(after);
    expect(await engine.run('SELECT 1', [])).toBe('after');
    await engine.close();
    expect([before.close, after.close].map(each => vi.mocked(each).mock.calls.length)).toEqual([1, 1]);
  });
});
