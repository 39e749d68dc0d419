import '../../../src/contract/messages.js';
import { openDatabase } from '../../../src/platform/db/database.js';
import { deliveryHandler } from '../../../src/platform/delivery/deliver-run.js';
import { readMailOptions } from '../../../src/platform/delivery/mail/mail-options.js';
import { openMailSender } from '../../../src/platform/delivery/mail/mail-sender.js';
import { deliveryKind } from '../../../src/platform/delivery/run-store.js';
import { scheduleHandler, scheduleKind } from '../../../src/platform/delivery/start-runs.js';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';

// Delivers notifications in a separate process, for tests that kill it. Leases are short, so that the next process
// continues soon.

const { connection, smtpUrl } = JSON.parse(process.env.DELIVERY ?? '');
const { db, listen } = await openDatabase(connection);
const sender = await openMailSender(readMailOptions({ smtpUrl, from: 'reports@example.com' }), null);
const refuse = () => Promise.reject(new Error('The dashboard has no reports.'));
const data = { meta: () => ({ cubes: [] }), load: refuse, sql: refuse };
const deliveries = {
  db,
  sender,
  channels: { slack: null, webhook: null },
  dataOf: () => data,
  writeSummary: async () => [],
  onFailure: (error: unknown) => console.error(error),
  unsubscribeUrl: (id: number, user: number) => `https://a.example/${id}/${user}`,
};
new JobQueue({
  db,
  listen,
  handlers: { [scheduleKind]: scheduleHandler(db), [deliveryKind]: deliveryHandler(deliveries) },
  onFailure: error => console.error(error),
  leaseMs: 500,
  pollMs: 100,
});
console.log('ready');
