import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SqlDialect } from '../../../src/platform/data/engines/engine.js';
import { type LiveModelOptions, type OpenedModel, openLiveModel } from '../../../src/platform/data/live-model.js';
import type { SemanticModel } from '../../../src/platform/data/semantic-model.js';
import { eventually } from '../../eventually.js';
import { caller } from './callers.js';
import { allRowsPolicy } from './model/model-yaml.js';

const cube = (name: string, table = 'orders') => `cubes:
  - name: ${name}
    sql_table: ${table}
    measures: [{ name: count, type: count }]
    ${allRowsPolicy}
`;

let folder: string;
let live: OpenedModel | undefined;
let tables: string[];
let looks = 0;
const onProblem = vi.fn<(message: string) => void>();
const onChange = vi.fn<(model: SemanticModel) => void>();

beforeEach(async () => {
  vi.clearAllMocks();
  tables = ['orders'];
  folder = await mkdtemp(join(tmpdir(), 'pa-live-'));
  await write('orders.yml', cube('orders'));
});

afterEach(async () => {
  vi.useRealTimers();
  await live?.close();
  live = undefined;
  await rm(folder, { recursive: true });
});

/** Replaces a file atomically, so that no reader sees it incomplete. */
async function write(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const half = join(dirname(path), '.half');
  await writeFile(half, text);
  await rename(half, path);
}

async function open(options: Partial<LiveModelOptions> = {}): Promise<OpenedModel> {
  const countedTables = () => {
    looks += 1;
    return tables;
  };
  const watched = { directory: folder, tables: countedTables, onProblem, onChange, pollMs: 5, settleMs: 5 };
  live = await openLiveModel({ dialect: SqlDialect.duckdb, ...watched, ...options });
  return live;
}

const cubesOf = ({ current }: OpenedModel) => current.meta(caller()).cubes.map(({ name }) => name);

/** Resolves after two more polls, so that all changes have been detected. */
async function lookedAtTwice(): Promise<void> {
  const before = looks;
  await eventually(() => expect(looks).toBeGreaterThan(before + 2));
}

/** Advances fake time and waits for the resulting poll. */
async function lookAfter(ms: number): Promise<void> {
  const before = looks;
  vi.advanceTimersByTime(ms);
  while (looks === before || vi.getTimerCount() === 0) await setImmediate();
}

describe('a live model', () => {
  test('loads changed and added files', async () => {
    const model = await open();
    const { version } = model.current;
    expect(cubesOf(model)).toEqual(['orders']);

    await write('orders.yml', cube('sales'));
    await eventually(() => expect(cubesOf(model)).toEqual(['sales']));
    expect(model.current.version).not.toBe(version);
    expect(onChange).toHaveBeenLastCalledWith(model.current);

    await mkdir(join(folder, 'more'));
    await write('more/items.yaml', cube('items'));
    await eventually(() => expect(cubesOf(model)).toEqual(expect.arrayContaining(['sales', 'items'])));
    expect(onProblem).not.toHaveBeenCalled();
  });

  test('detects moved and removed files', async () => {
    await mkdir(join(folder, 'more'));
    await write('more/items.yml', cube('items'));
    const model = await open();
    await rename(join(folder, 'more'), join(folder, 'other'));
    await rm(join(folder, 'orders.yml'));
    await eventually(() => expect(cubesOf(model)).toEqual(['items']));
    expect(onProblem).not.toHaveBeenCalled();
  });

  test('detects a replacement of the same size and modification time', async () => {
    const model = await open();
    const then = new Date('2001-01-01');
    await utimes(join(folder, 'orders.yml'), then, then);
    await eventually(() => expect(onChange).toHaveBeenCalled());
    await write('orders.yml', cube('orderz'));
    await utimes(join(folder, 'orders.yml'), then, then);
    await eventually(() => expect(cubesOf(model)).toEqual(['orderz']));
  });

  test('reads links, as in mounted configuration, and skips names that begin with a dot', async () => {
    await mkdir(join(folder, '..data'));
    await write('..data/items.yml', cube('items'));
    await symlink('..data/items.yml', join(folder, 'items.yml'));
    await symlink('nobody@host', join(folder, '.#orders.yml'));
    const model = await open();
    expect(cubesOf(model).sort()).toEqual(['items', 'orders']);
    await mkdir(join(folder, '..next'));
    await write('..next/items.yml', cube('products'));
    await symlink('..next/items.yml', join(folder, 'moved'));
    await rename(join(folder, 'moved'), join(folder, 'items.yml'));
    await eventually(() => expect(cubesOf(model).sort()).toEqual(['orders', 'products']));
  });

  test('serves the last valid version while files are invalid, and reports all problems once', async () => {
    const model = await open();
    const good = model.current;
    await write('orders.yml', `${cube('orders')}    nope: 1\n    neither: 2\n`);
    await eventually(() => expect(onProblem).toHaveBeenCalledOnce());
    expect(onProblem.mock.calls[0]?.[0]).toMatch(
      /orders\.yml:6: Unknown key "nope"\n.*orders\.yml:7: Unknown key "neither"/,
    );
    await lookedAtTwice();
    expect(onProblem).toHaveBeenCalledOnce();
    expect(model.current).toBe(good);

    await write('orders.yml', `${cube('orders')}    still: 1\n`);
    await eventually(() => expect(onProblem).toHaveBeenCalledTimes(2));
    await write('orders.yml', cube('repaired'));
    await eventually(() => expect(cubesOf(model)).toEqual(['repaired']));
  });

  test('continues while the folder is missing', async () => {
    const model = await open();
    await rename(folder, `${folder}.away`);
    await eventually(() => expect(onProblem).toHaveBeenCalledOnce());
    expect(onProblem.mock.calls[0]?.[0]).toMatch(/Could not read the model folder/);
    expect(cubesOf(model)).toEqual(['orders']);
    await rename(`${folder}.away`, folder);
    await eventually(() => expect(onChange).toHaveBeenCalledOnce());
  });

  test('waits for a table that a file already uses', async () => {
    const model = await open();
    await write('items.yml', cube('items', 'items'));
    await eventually(() => expect(onProblem).toHaveBeenCalledOnce());
    expect(onProblem.mock.calls[0]?.[0]).toMatch(/items\.yml:3: Unknown table items/);
    tables = ['orders', 'items'];
    await eventually(() => expect(cubesOf(model)).toHaveLength(2));
    expect(onProblem).toHaveBeenCalledOnce();
  });

  test('serves nothing if the model fails once its tables are known, until it is valid', async () => {
    let known: string[] | null = null;
    const model = await open({
      tables: () => {
        looks += 1;
        return known;
      },
    });
    expect(cubesOf(model)).toEqual(['orders']);
    known = ['items'];
    await eventually(() => expect(cubesOf(model)).toEqual([]));
    expect(onProblem).toHaveBeenLastCalledWith(expect.stringContaining('No data is served'));
    known = ['items', 'orders'];
    await eventually(() => expect(cubesOf(model)).toEqual(['orders']));
    // A version whose tables were checked stays in use.
    await write('orders.yml', cube('sales', 'missing'));
    await eventually(() => expect(onProblem).toHaveBeenCalledTimes(2));
    await lookedAtTwice();
    expect(cubesOf(model)).toEqual(['orders']);
  });

  test('prepares a version before serving it, while the previous one continues', async () => {
    let finish = () => {};
    const prepare = vi.fn(
      () =>
        new Promise<void>(resolve => {
          finish = resolve;
        }),
    );
    const model = await open({ prepare });
    const before = model.current;
    expect(prepare).not.toHaveBeenCalled();
    await write('orders.yml', cube('sales'));
    await eventually(() => expect(prepare).toHaveBeenCalledOnce());
    expect(model.current).toBe(before);
    expect(onChange).not.toHaveBeenCalled();
    finish();
    await eventually(() => expect(cubesOf(model)).toEqual(['sales']));
  });

  test('reads changed files after they have been unchanged for a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const model = await open({ pollMs: 1000, settleMs: 200 });
    await write('orders.yml', '');
    await lookAfter(1000);
    await write('orders.yml', cube('sales'));
    await lookAfter(200);
    vi.advanceTimersByTime(199);
    expect(vi.getTimerCount()).toBe(1);
    await lookAfter(1);
    expect(cubesOf(model)).toEqual(['sales']);
    expect(onChange).toHaveBeenCalledOnce();
    expect(onProblem).not.toHaveBeenCalled();
  });

  test('ignores changes after it is closed, including pending ones', async () => {
    let finish = () => {};
    const prepare = vi.fn(
      () =>
        new Promise<void>(resolve => {
          finish = resolve;
        }),
    );
    const model = await open({ prepare });
    await write('orders.yml', cube('sales'));
    await eventually(() => expect(prepare).toHaveBeenCalledOnce());
    const closed = model.close();
    finish();
    await closed;
    expect(cubesOf(model)).toEqual(['orders']);
    expect(onChange).not.toHaveBeenCalled();
  });

  test('rejects invalid files at the start', async () => {
    await write('orders.yml', 'cubes: 7\n');
    await expect(open()).rejects.toThrow(/orders\.yml:1: /);
    await expect(open({ directory: join(folder, 'nowhere') })).rejects.toThrow(/Check that it exists/);
  });
});
