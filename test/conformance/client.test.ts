import { afterAll, beforeAll } from 'vitest';
import { testDrillDowns } from './client/drill-downs.js';
import { testLoads } from './client/loads.js';
import { testMeta, testOperators } from './client/meta.js';
import { testResultSets } from './client/result-sets.js';
import { testConversion, testSql } from './client/sql.js';
import { type Conformance, startConformance } from './platform.js';

let running: Conformance;

beforeAll(async () => {
  // The time limit is shorter than the query that groups every flight by minute.
  running = await startConformance({ continueWaitMs: 20 });
});

afterAll(() => running?.stop());

// All client tests share one platform, because starting it takes longer than most tests.
const suite = () => running;
testLoads(suite);
testMeta(suite);
testOperators(suite);
testResultSets(suite);
testDrillDowns(suite);
testSql(suite);
testConversion(suite);
