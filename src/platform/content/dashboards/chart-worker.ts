import { parentPort } from 'node:worker_threads';
import { ChartError } from '../../../charts/chart-error.js';
import { compileForPublishing } from '../../../charts/publishing.js';
import type { CompileRequest, CompileResponse } from './chart-compiler.js';

// Runs in a thread of its own: compiles one specification at a time.

parentPort?.on('message', ({ spec, columns }: CompileRequest) => {
  void compileForPublishing(spec, columns)
    .then(
      (vega): CompileResponse => ({ kind: 'compiled', vega }),
      (error: unknown): CompileResponse => ({
        kind: 'failed',
        code: error instanceof ChartError ? error.code : null,
        message: error instanceof Error ? error.message : 'unknown reason',
      }),
    )
    .then(response => parentPort?.postMessage(response));
});

// The compiler is loaded before the first request, so that its time limit holds for the request alone.
await compileForPublishing({ mark: 'point' }, null);
const ready: CompileResponse = { kind: 'ready' };
parentPort?.postMessage(ready);
