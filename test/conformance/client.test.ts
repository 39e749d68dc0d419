import { afterAll, beforeAll } from 'vitest';
import { testDrillDowns } from './client/drill-downs.js';
import { testLoads } from './client/loads.js';
import { testMeta } from './client/meta.js';
import { testResultSets } from './client/result-sets.js';
import { type Conformance, startConformance } from './platform.js';

let running: Conformance;

beforeAll(async () => {
  // Grouping every flight by its minute takes longer than that.
  running = await startConformance({ continueWaitMs: 20 });
});

afterAll(() => running?.stop());

// One platform for all that the client can do: a start costs more than most of it.
const suite = () => running;
testLoads(suite);
testMeta(suite);
testResultSets(suite);
testDrillDowns(suite);
