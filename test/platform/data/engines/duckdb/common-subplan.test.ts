import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileModel } from '../../../../../src/platform/data/compile-model.js';
import { openDuckDbEngine } from '../../../../../src/platform/data/engines/duckdb/open-duckdb-engine.js';
import type { Engine } from '../../../../../src/platform/data/engines/engine.js';
import { tenantCaller } from '../../callers.js';
import { modelText, RowLevel, tableSelects, tenants } from '../../tenant-model.js';
import { writeParquet } from './parquet.js';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pa-subplan-'));
  await writeFile(join(folder, 'model.yml'), modelText(RowLevel.own));
  for (const [table, select] of Object.entries(tableSelects(tenants)))
    await writeParquet(join(folder, `${table}.parquet`), select);
  engine = await openDuckDbEngine({ sources: folder });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

it('computes each measure over distinct keys from its own rows', async () => {
  const now = () => new Date('2024-03-14T12:00:00Z');
  const model = await compileModel({ directory: folder, tables: engine.tables, now });
  const plan = model.plan(
    {
      measures: ['customers.last', 'items.quantity', 'orders.average'],
      timeDimensions: [
        { dimension: 'orders.placed_at', dateRange: 'last 7 days' },
        { dimension: 'orders.placed_at', dateRange: 'last 3 weeks' },
      ],
      segments: ['orders.large'],
      timezone: 'Asia/Kolkata',
    },
    tenantCaller('tenant_a'),
  );
  const { sql, parameters } = plan.statement();
  expect((await engine.run(sql, parameters)).columns).toEqual([['tenant_a customer 3'], ['16'], ['64']]);
});
