import { expect, it, vi } from 'vitest';
import { ResourcePool } from '../../../src/platform/runtime/resource-pool.js';

function poolOf(maxOpen: number, maxOpenOfGroup = maxOpen) {
  const closed: string[] = [];
  const open = vi.fn(async (name: string) => ({ name }));
  const pool = new ResourcePool<string, { readonly name: string }>({
    maxOpen,
    groups: { maxOpen: maxOpenOfGroup, groupOf: name => name.charAt(0) },
    nameOf: name => name,
    open,
    close: async ({ name }) => {
      closed.push(name);
    },
    busy: () => new Error('busy'),
  });
  const use = async (name: string) => (await pool.acquire(name)).release();
  return { pool, open, closed, use };
}

it('opens a resource once for concurrent callers, and keeps it open', async () => {
  const { pool, open, use } = poolOf(2);
  await Promise.all([use('a'), use('a')]);
  await use('a');
  expect(open).toHaveBeenCalledTimes(1);
  expect(pool.size).toBe(1);
});

it('closes the least recently used resource if there are too many', async () => {
  const { closed, use } = poolOf(2);
  for (const name of ['a', 'b', 'a', 'c']) await use(name);
  await vi.waitFor(() => expect(closed).toEqual(['b']));
});

it('closes a resource of the same group if the group has too many', async () => {
  const { pool, closed, use } = poolOf(3, 2);
  for (const name of ['b1', 'a1', 'a2', 'a3']) await use(name);
  await vi.waitFor(() => expect(closed).toEqual(['a1']));
  for (const name of ['a2', 'a3']) await pool.acquire(name);
  await expect(pool.acquire('a4')).rejects.toThrow('busy');
  await use('b2');
});

it('never closes a resource in use, and rejects further ones instead', async () => {
  const { pool, closed } = poolOf(1);
  const held = await pool.acquire('a');
  await expect(pool.acquire('b')).rejects.toThrow('busy');
  await pool.remove(() => true);
  expect(closed).toEqual([]);
  held.release();
  await vi.waitFor(() => expect(closed).toEqual(['a']));
});

it('opens a resource again after a failure', async () => {
  const { pool, open } = poolOf(1);
  open.mockRejectedValueOnce(new Error('no disk'));
  await expect(pool.acquire('a')).rejects.toThrow('no disk');
  expect((await pool.acquire('a')).resource.name).toBe('a');
});

it('closes each resource once when the pool is closed', async () => {
  const { pool, closed } = poolOf(2);
  const held = await pool.acquire('a');
  await pool.close();
  held.release();
  expect(closed).toEqual(['a']);
  await expect(pool.acquire('a')).rejects.toThrow('busy');
});
