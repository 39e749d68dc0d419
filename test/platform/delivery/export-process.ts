import '../../../src/contract/messages.js';
import { openDatabase } from '../../../src/platform/db/database.js';
import { exportKind } from '../../../src/platform/delivery/exports/exports.js';
import { exportHandler } from '../../../src/platform/delivery/exports/render-export.js';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';

// Renders exports in a separate process, for a test that kills it. Leases are short, so that the next process continues
// soon.

const { db, listen } = await openDatabase(JSON.parse(process.env.EXPORTS ?? ''));
const refuse = () => Promise.reject(new Error('The dashboard has no reports.'));
const data = { meta: () => ({ cubes: [] }), load: refuse, sql: refuse };
const onFailure = (error: unknown) => console.error(error);
new JobQueue({
  db,
  listen,
  handlers: { [exportKind]: exportHandler({ db, dataOf: () => data, onFailure }) },
  onFailure,
  leaseMs: 500,
  pollMs: 100,
  backOffMs: 100,
});
console.log('ready');
