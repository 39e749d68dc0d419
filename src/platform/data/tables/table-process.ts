import { FileProblem } from '../engines/duckdb/text-source.js';
import { appendTable } from './append-table.js';
import { convertTable } from './convert-table.js';
import type { TableReply, TableRequest } from './table-protocol.js';

// Entry point of the process that reads an uploaded file. Files are hostile: reading them can exhaust the memory or
// crash native code, and must not affect the platform.

const send = (reply: TableReply): void => {
  process.send?.(reply, () => process.exit(0));
};

process.once('message', (request: TableRequest) => {
  const work = request.kind === 'convert' ? convertTable(request) : appendTable(request);
  work.then(
    table => send({ table }),
    // Omit other messages, because they may quote rows.
    (error: unknown) => send({ problem: error instanceof FileProblem ? error.message : null }),
  );
});

// The parent has exited. Kill the process, because `process.exit` would wait for native code.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
