import { parentPort } from 'node:worker_threads';
import { ChartError } from '../../../charts/chart-error.js';
import { compileForPublishing } from '../../../charts/publishing.js';
import type { CompileRequest, CompileResponse } from './chart-compiler.js';

// Worker thread that compiles one specification at a time.

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

// Loads the compiler before the first request, so that loading does not count against the time limit of a request.
await compileForPublishing({ mark: 'point' }, null);
const ready: CompileResponse = { kind: 'ready' };
parentPort?.postMessage(ready);
