import { IsolatedEngine } from '../../../../../src/platform/data/engines/duckdb/isolated-engine.js';

// Starts an engine process that does not react to interrupts, for a test that kills its parent. Prints its process id.

const { limits, unresponsive } = JSON.parse(process.env.ENGINE ?? '');
const tables: [] = [];
const engine = new IsolatedEngine({ tables: () => tables, limits });
const bounds = { timeoutMs: 120_000 };
void engine.run(unresponsive, [], bounds);
await engine.run('SELECT 1', [], bounds);
console.log(engine.pid);
