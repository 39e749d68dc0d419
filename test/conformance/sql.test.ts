import { afterAll, beforeAll } from 'vitest';
import { testSql } from './client/sql.js';
import { type Conformance, startConformance } from './platform.js';

let running: Conformance;

beforeAll(async () => {
  running = await startConformance({ continueWaitMs: 20 });
});

afterAll(() => running?.stop());

testSql(() => running);
