import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnType } from '../../../../src/contract/sql.js';
import { dataRoutes } from '../../../../src/platform/data/data-routes.js';
import { createDataService } from '../../../../src/platform/data/data-service.js';
import { SqlType } from '../../../../src/platform/data/sql/sql-type.js';
import { caller } from '../callers.js';
import { expectEqual } from './corpus/answer.js';
import { isOrdered, oursOf, postgresOf } from './corpus/case.js';
import { corpus } from './corpus/corpus.js';
import { type CorpusWorlds, engines, startCorpus } from './corpus/start.js';

let worlds: CorpusWorlds;

beforeAll(async () => {
  worlds = await startCorpus();
});

afterAll(() => worlds?.close());

/** A Postgres type for each type of the protocol. */
const typeOf: Readonly<Record<ColumnType, SqlType>> = {
  String: SqlType.text,
  Int64: SqlType.bigint,
  Double: SqlType.double,
  Boolean: SqlType.boolean,
  Timestamp: SqlType.timestamp,
  Date: SqlType.date,
};

/** A sample of the corpus, of every kind. */
const some = Object.values(corpus)
  .flat()
  .filter((_, index) => index % 12 === 0);

describe.each(engines)('POST /v1/sql on %s', engine => {
  it.each(some.map(one => [oursOf(one), one] as const))('returns the result of Postgres: %s', async (ours, one) => {
    const { engine: opened, model } = worlds.ours[engine];
    const app = dataRoutes({
      service: createDataService({ engine: opened, model: { current: model } }),
      authenticate: async () => ({ securityContext: caller() }),
    });
    const response = await app.request('/v1/sql', {
      method: 'POST',
      headers: { authorization: 'anyone', 'content-type': 'application/json' },
      body: JSON.stringify({ query: ours }),
    });
    expect(response.status).toBe(200);
    const [{ schema }, ...lines] = (await response.text())
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const columns = schema.map((column: { name: string; column_type: ColumnType }) => ({
      name: column.name,
      type: typeOf[column.column_type],
    }));
    const rows = lines.flatMap(({ data }) => data);
    const expected = await worlds.postgres.ask(postgresOf(one));
    expectEqual({ columns, rows }, expected, { ordered: isOrdered(ours), exactTypes: false });
  });
});
