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

// Whatever the client asks goes through a platform to another one as it goes to that one itself.
const suite = () => running;
testLoads(suite);
testMeta(suite);
testSql(suite);
