import { IsolatedEngine } from '../../../../../src/platform/data/engines/duckdb/isolated-engine.js';

// Runs an engine with a statement that does not end, and prints the id of the engine's process, for a test that kills
// this process.

const none: readonly never[] = [];
const { limits, statement } = JSON.parse(process.env.ENGINE ?? '');
const engine = new IsolatedEngine({ tables: () => none, limits });
const bounds = { timeoutMs: 120_000 };
engine.run(statement, [], bounds).catch(() => undefined);
await engine.run('SELECT 1', [], bounds);
console.log(engine.pid);
