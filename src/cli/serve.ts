import type { Writable } from 'node:stream';
import { createPlatform, type Platform } from '../platform/index.js';
import { databaseUrlOf } from './database-options.js';
import type { ServeOptions } from './serve-options.js';
import { type Listener, listen } from './server/listen.js';
import { LineWriter, queryLogLine } from './server/query-log.js';
import {
  describeLlm,
  describeUpstream,
  readAgentTools,
  readChannels,
  readGitHosts,
  readLlm,
  readMail,
  readOAuth,
  readOidcSecret,
  readUpstreamOptions,
} from './server/serve-environment.js';
import { type Certificate, readCertificate, watchCertificate } from './server/tls-files.js';

/** Environment and output of `serve`. */
export interface ServeContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process receives a signal to stop. */
  readonly stop: AbortSignal;
  /** Prints the line that reports that the platform is ready. */
  readonly print: (line: string) => void;
  /** Prints all other messages, one or more lines at a time. */
  readonly note: (text: string) => void;
  /** Receives the query log, after the ready line. */
  readonly output: Writable;
}

/**
 * Time limit for open requests, in milliseconds. The process must end within 10 seconds, so this leaves time to close
 * the rest.
 */
const drainMs = 7000;
const logDrainMs = 1000;

/**
 * Runs a platform until `stop` aborts, then releases all resources.
 * @throws Error if the platform cannot start. The message is one sentence.
 */
export async function serve(options: ServeOptions, context: ServeContext): Promise<void> {
  const { environment, note } = context;
  const llm = readLlm(environment);
  const dataApiUpstream = readUpstreamOptions(options.dataApiUpstream, environment);
  // Bind the addresses first, so that an address in use fails immediately and the default public URL contains the
  // selected port.
  const certificate = options.tls === null ? null : await readCertificate(options.tls);
  const { trustedProxies } = options;
  const listener = await listen(options.address, { trustedProxies, certificate });
  const listeners = [listener];
  const log = options.queryLog ? new LineWriter(context.output) : null;
  try {
    const ops = options.ops === null ? null : await listen(options.ops);
    if (ops) listeners.push(ops);
    const platform = await createPlatform({
      ...platformOptions(options, listener, context),
      ...(llm && { llm }),
      mail: readMail(environment),
      channels: readChannels(environment),
      oauth: readOAuth(environment),
      gitHosts: readGitHosts(environment),
      agentTools: readAgentTools(environment),
      ...(dataApiUpstream && { dataApiUpstream }),
      ...(log && { onQuery: event => log.write(queryLogLine(event)) }),
    });
    if (dataApiUpstream) note(describeUpstream(dataApiUpstream));
    if (dataApiUpstream || options.modelDirectory !== undefined) note(describeLlm(llm));
    try {
      await Promise.all([
        serveUntilStopped(platform, listener, ops, context),
        certificate && renewCertificate(options, certificate, listener, context),
      ]);
    } finally {
      // Draining ends the chat streams, which are open requests too.
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
  if (platform.adminKeyPath !== null) note(`The admin API key is stored in ${platform.adminKeyPath}`);
  if (ops) note(`pa-platform ops listening on ${ops.url}`);
  print(`pa-platform listening on ${listener.url}`);
  if (!stop.aborted) await new Promise(resolve => stop.addEventListener('abort', resolve, { once: true }));
}

/** Reloads the certificate of the listener when its files change, until `stop` aborts. */
async function renewCertificate(
  { tls }: ServeOptions,
  current: Certificate,
  listener: Listener,
  { stop: signal, note }: ServeContext,
): Promise<void> {
  if (tls === null) return;
  const onChange = (certificate: Certificate) => {
    listener.setCertificate(certificate);
    note('Reloaded the TLS certificate.');
  };
  await watchCertificate(tls, { current, onChange, onProblem: note, signal });
}

function platformOptions(options: ServeOptions, listener: Listener, { environment, note }: ServeContext) {
  const { dataDirectory, modelDirectory, sourcesDirectory, dataSchema, dataApiPath, ...others } = options;
  const { allowOrigins, groups, limits, rateLimit, mcp, usageAnalytics, console, demo, tokenIssuer } = others;
  const { PA_ADMIN_KEY: adminKey, PA_SECRET_KEY: secretKey, PA_DATA_SOURCE_URL: dataSourceUrl } = environment;
  const oidc = readOidcSecret(options.oidc, environment);
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
    mcp,
    usageAnalytics,
    console,
    demo,
    metrics: options.ops !== null,
    onFailure: note,
    onNotice: note,
    ...(oidc && { oidc }),
    ...(tokenIssuer && { tokenIssuer }),
    ...(dataDirectory !== undefined && { dataDirectory }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(modelDirectory !== undefined && { modelDirectory }),
    ...(sourcesDirectory !== undefined && { sourcesDirectory }),
    ...(dataSchema !== undefined && { dataSchema }),
    ...(rateLimit !== undefined && { rateLimit }),
    // An empty variable counts as not set, because many tools set an empty variable instead of unsetting it.
    ...(adminKey && { adminKey }),
    ...(secretKey && { secretKey }),
    ...(previousSecretKeys && { previousSecretKeys }),
    ...(dataSourceUrl && { dataSourceUrl }),
  };
}
