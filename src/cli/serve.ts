import type { Writable } from 'node:stream';
import { createPlatform, type Platform } from '../platform/index.js';
import { databaseUrlOf } from './database-options.js';
import type { ServeOptions } from './serve-options.js';
import { type Listener, listen } from './server/listen.js';
import { LineWriter, queryLogLine } from './server/query-log.js';
import { describeLlm, describeUpstream, readLlm, readUpstreamOptions } from './server/serve-environment.js';
import { type Certificate, readCertificate, watchCertificate } from './server/tls-files.js';

/** What `serve` takes from the process it runs in. */
export interface ServeContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process is asked to end. */
  readonly stop: AbortSignal;
  /** Prints the one line that says that the platform is ready. */
  readonly print: (line: string) => void;
  /** Prints everything else, one line or more at a time. */
  readonly note: (text: string) => void;
  /** Takes the log of queries, after the line that says that the platform is ready. */
  readonly output: Writable;
}

/** How long open requests may go on. The process ends within 10 seconds, so that closing gets the rest of them. */
const drainMs = 7000;
const logDrainMs = 1000;

/**
 * Runs a platform until it is asked to stop, and gives everything back.
 * @throws Error that says in one sentence why it can't start.
 */
export async function serve(options: ServeOptions, surroundings: ServeContext): Promise<void> {
  const { environment, note } = surroundings;
  const llm = readLlm(environment);
  const dataApiUpstream = readUpstreamOptions(options.dataApiUpstream, environment);
  // The addresses come first: one that is in use is told at once, and a picked port belongs to the public URL.
  const certificate = options.tls === null ? null : await readCertificate(options.tls);
  const { trustedProxies } = options;
  const listener = await listen(options.address, { trustedProxies, certificate });
  const listeners = [listener];
  const log = options.queryLog ? new LineWriter(surroundings.output) : null;
  try {
    const ops = options.ops === null ? null : await listen(options.ops);
    if (ops) listeners.push(ops);
    const platform = await createPlatform({
      ...platformOptions(options, listener, surroundings),
      ...(llm && { llm }),
      ...(dataApiUpstream && { dataApiUpstream }),
      ...(log && { onQuery: event => log.write(queryLogLine(event)) }),
    });
    if (dataApiUpstream) note(describeUpstream(dataApiUpstream));
    if (dataApiUpstream || options.modelDirectory !== undefined) note(describeLlm(llm));
    try {
      await Promise.all([
        serveUntilStopped(platform, listener, ops, surroundings),
        certificate && renewCertificate(options, certificate, listener, surroundings),
      ]);
    } finally {
      // Streams of chats are open requests too, and end when they are drained.
      await Promise.all([platform.drain(), ...listeners.map(each => each.close(drainMs))]);
      await platform.close();
    }
  } finally {
    await Promise.all(listeners.map(each => each.close(0)));
    await log?.close(logDrainMs);
  }
}

async function serveUntilStopped(
  platform: Platform,
  listener: Listener,
  ops: Listener | null,
  { stop, print, note }: ServeContext,
): Promise<void> {
  listener.serve(platform.fetch);
  ops?.serve(platform.ops);
  if (platform.adminKeyPath !== null) note(`The admin's API key is in ${platform.adminKeyPath}`);
  if (ops) note(`pa-platform ops listening on ${ops.url}`);
  print(`pa-platform listening on ${listener.url}`);
  if (!stop.aborted) await new Promise(resolve => stop.addEventListener('abort', resolve, { once: true }));
}

/** Has the listener use what the files of its certificate hold, until it is asked to stop. */
async function renewCertificate(
  { tls }: ServeOptions,
  current: Certificate,
  listener: Listener,
  { stop: signal, note }: ServeContext,
): Promise<void> {
  if (tls === null) return;
  const onChange = (certificate: Certificate) => {
    listener.setCertificate(certificate);
    note('The certificate was renewed.');
  };
  await watchCertificate(tls, { current, onChange, onProblem: note, signal });
}

function platformOptions(options: ServeOptions, listener: Listener, { environment, note }: ServeContext) {
  const { dataDirectory, modelDirectory, sourcesDirectory, dataSchema, dataApiPath, ...others } = options;
  const { allowOrigins, groups, limits, rateLimit, demo } = others;
  const { PA_ADMIN_KEY: adminKey, PA_SECRET_KEY: secretKey, PA_DATA_SOURCE_URL: dataSourceUrl } = environment;
  const databaseUrl = databaseUrlOf(options.databaseUrl, environment);
  const previousSecretKeys = environment.PA_SECRET_KEY_PREVIOUS?.split(',')
    .map(key => key.trim())
    .filter(Boolean);
  return {
    publicUrl: options.publicUrl ?? listener.url,
    dataApiPath,
    allowOrigins,
    groups,
    limits,
    demo,
    metrics: options.ops !== null,
    onFailure: note,
    onNotice: note,
    ...(dataDirectory !== undefined && { dataDirectory }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(modelDirectory !== undefined && { modelDirectory }),
    ...(sourcesDirectory !== undefined && { sourcesDirectory }),
    ...(dataSchema !== undefined && { dataSchema }),
    ...(rateLimit !== undefined && { rateLimit }),
    // An empty variable is how many tools say that there is none.
    ...(adminKey && { adminKey }),
    ...(secretKey && { secretKey }),
    ...(previousSecretKeys && { previousSecretKeys }),
    ...(dataSourceUrl && { dataSourceUrl }),
  };
}
