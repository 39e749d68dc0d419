import { afterAll, beforeAll } from 'vitest';
import { testConversion, testSql } from './client/sql.js';
import { type Conformance, startConformance } from './platform.js';

let running: Conformance;

beforeAll(async () => {
  running = await startConformance({ continueWaitMs: 20 });
});

afterAll(() => running?.stop());

testSql(() => running);
testConversion(() => running);
