import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startHost } from './host/server.js';
import { startMailServer } from './mail-server.js';
import { scheduleReport } from './notification.js';
import { allowAnalyst, allowComments, pinAnswer } from './pinned-answer.js';
import { applyContent, startPlatform, watchLauncher } from './platform.js';
import { prepareSources } from './sources.js';

const help = `Starts the platform on sample data, and a host application that embeds it.

  npm run demo -- [options]

  --port N           port of the host application (4200; 0 picks a free one)
  --platform-port N  port of the platform (4100; 0 picks a free one)
  --no-comments      dashboards without comments
  --help             show this help`;

/** Parses a port from the command line. */
function port(text) {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new Error(`${text} is not a port number (0 to 65535).`);
  return number;
}

/** Writes the key to a temporary file that only its owner can read, for the playground of the platform. */
async function storeKey(adminKey) {
  const folder = await mkdtemp(join(tmpdir(), 'pa-demo-key-'));
  const file = join(folder, 'admin-key');
  await writeFile(file, adminKey, { mode: 0o600 });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4200' },
      'platform-port': { type: 'string', default: '4100' },
      'no-comments': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const adminKey = randomBytes(32).toString('base64url');
  const stops = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  let isStopping = false;
  const end = () => {
    isStopping = true;
    stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  watchLauncher(end);
  try {
    // The host listens first, because the platform needs to allow its origin.
    const host = await startHost({ port: port(values.port), adminKey });
    stops.push(host.close);
    const mail = await startMailServer();
    stops.push(mail.close);
    const platform = startPlatform({
      port: port(values['platform-port']),
      adminKey,
      allowOrigin: host.origin,
      sources: await prepareSources(),
      smtpUrl: mail.url,
    });
    stops.push(platform.close);
    const platformUrl = await platform.listening;
    platform.exited.then(() => isStopping || stop().then(() => process.exit(1)));
    const dashboards = await applyContent({ platformUrl, adminKey });
    await allowAnalyst({ platformUrl, adminKey });
    if (!values['no-comments']) await allowComments({ platformUrl, adminKey });
    await pinAnswer({ platformUrl, adminKey, publicId: dashboards.departures });
    const notificationId = await scheduleReport({ platformUrl, adminKey, publicId: dashboards.departures });
    host.open({ platformUrl, dashboards, mail, notificationId });
    const key = await storeKey(adminKey);
    stops.push(key.remove);
    console.log(`playground on ${platformUrl}: the admin API key is in ${key.file}`);
    console.log('  view as the first airport: {"airport": "ORD"}');
    console.log(`demo ready on ${host.origin}`);
  } catch (error) {
    if (isStopping) return;
    isStopping = true;
    await stop();
    throw error;
  }
}

main().catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});
