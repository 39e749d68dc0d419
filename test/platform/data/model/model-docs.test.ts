import { readFileSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelSource } from '../../../../src/platform/data/model/model-schema.js';
import { VariableTokens } from '../../../../src/platform/data/model/variables.js';
import { compileFiles, openDatabase, statementRows } from './fixture.js';

const text = readFileSync(new URL('../../../../docs/model.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = '']) => yaml);

/** Returns a block as a file of the model. A block with parts of a cube becomes a cube that extends `orders`. */
function toFile(yaml: string, index: number): string {
  if (/^(cubes|views):/.test(yaml)) return yaml;
  return `cubes:\n  - name: example_${index}\n    extends: orders\n${yaml.replace(/^(?=.)/gm, '    ')}`;
}

/** Adds the keys of all objects in a schema to `keys`. */
function collectKeys(schema: unknown, keys: Set<string>, seen = new Set<unknown>()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return keys;
  seen.add(schema);
  const { def } = schema as { def?: Record<string, unknown> };
  if (def === undefined) return keys;
  const { shape, options, element, innerType, in: input, getter } = def;
  const inner: unknown[] = [element, innerType, input];
  if (typeof getter === 'function') inner.push(getter());
  if (Array.isArray(options)) inner.push(...options);
  for (const [key, value] of Object.entries(Object(shape))) {
    keys.add(key);
    inner.push(value);
  }
  for (const each of inner) collectKeys(each, keys, seen);
  return keys;
}

describe('docs/model.md', () => {
  let database: DuckDBConnection;

  beforeAll(async () => {
    database = await openDatabase();
  });

  afterAll(() => database.closeSync());

  it('contains examples that compile and run', async () => {
    const files = blocks.map((block, index) => [`${index}.yml`, toFile(block, index)]);
    const tokens = new VariableTokens();
    const values = new Map([['REGION', { value: 'north', revision: '1' }]]);
    const model = await compileFiles(Object.fromEntries(files), undefined, { values, tokens });
    const plans = model.rehearsals();
    expect(plans.length).toBeGreaterThan(10);
    for (const plan of plans) {
      const { sql, parameters } = plan.statement();
      await statementRows(database, { sql: tokens.reveal(sql), parameters });
    }
  });

  it('names every key of the schema', () => {
    const keys = collectKeys(ModelSource, new Set());
    expect(keys.size).toBeGreaterThan(50);
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, span = '']) => span.match(/\w+/g) ?? []);
    expect([...keys].filter(key => !spans.includes(key))).toEqual([]);
  });
});
