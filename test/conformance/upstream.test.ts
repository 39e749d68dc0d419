import { afterAll, beforeAll } from 'vitest';
import { testLoads } from './client/loads.js';
import { testMeta } from './client/meta.js';
import { testSql } from './client/sql.js';
import { type Conformance, startConformance } from './platform.js';

let running: Conformance;

beforeAll(async () => {
  running = await startConformance({ continueWaitMs: 20 }, 'upstream');
});

afterAll(() => running?.stop());

// Client requests have the same results through a forwarding platform as directly.
const suite = () => running;
testLoads(suite);
testMeta(suite);
testSql(suite);
