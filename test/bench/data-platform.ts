import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from './root.js';

/** The built platform in a separate process. */
export interface RunningPlatform {
  readonly url: string;
  readonly pid: number;
  readonly adminKey: string;
  /** Time from the start of the process until it listened. */
  readonly startMs: number;
  /** Mints a session of a tenant and returns its data token, like a host and its page. */
  mint(airport: string): Promise<string>;
  /** Mints a session of a tenant's user and returns its embed token. */
  mintEmbedToken(airport: string, externalId: string): Promise<string>;
  stop(): Promise<void>;
}

/** Options for starting a platform. */
export interface PlatformSetting {
  /** Folder of the model. Without it there is no Data API. */
  readonly model?: string;
  readonly sources?: string;
  readonly data: string;
  /** Origin of a page that calls the platform. */
  readonly allowOrigin?: string;
  /** Folder for a CPU profile, written when the platform stops. */
  readonly profileDirectory: string | null;
  /** Called with the function that stops the platform, before it has started. */
  readonly onStop: (step: () => Promise<void>) => void;
}

const cli = fileURLToPath(new URL('../../dist/cli/pa-platform.js', import.meta.url));

/** Starts `pa-platform serve` from the build, with its default settings, on a free port. */
export async function startPlatform({
  model,
  sources,
  data,
  allowOrigin,
  profileDirectory,
  onStop,
}: PlatformSetting): Promise<RunningPlatform> {
  const adminKey = randomBytes(24).toString('base64url');
  const profiling = profileDirectory === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDirectory];
  const served = [...(model ? ['--model', model] : []), ...(sources ? ['--sources', sources] : [])];
  const reachable = allowOrigin ? ['--allow-origin', allowOrigin] : [];
  const args = ['serve', '--port', '0', '--data', data, ...served, ...reachable];
  const begun = performance.now();
  const child = spawn(process.execPath, [...profiling, cli, ...args], {
    cwd: root,
    // Ignore the query log, so that writing it never blocks.
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PA_ADMIN_KEY: adminKey },
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  onStop(stop);
  const url = await Promise.race([listening(child), once(child, 'exit').then(() => null)]);
  if (url === null) throw new Error('The platform did not start. Run it manually to see why.');
  return {
    url,
    pid: child.pid ?? 0,
    adminKey,
    startMs: performance.now() - begun,
    mint: async airport => dataToken(url, await embedToken(url, adminKey, { airport, externalId: 'bench' })),
    mintEmbedToken: (airport, externalId) => embedToken(url, adminKey, { airport, externalId }),
    stop,
  };
}

async function listening(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error('The platform has no output.');
  const lines = createInterface({ input: stdout });
  const url = await new Promise<string>(resolve => {
    lines.on('line', line => {
      const found = /^pa-platform listening on (\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  lines.close();
  stdout.resume();
  return url;
}

async function embedToken(
  url: string,
  adminKey: string,
  { airport, externalId }: { readonly airport: string; readonly externalId: string },
): Promise<string> {
  const grant = {
    deploymentId: 1,
    externalId,
    embedTenantName: `tenant-${airport.toLowerCase()}`,
    securityContext: { airport },
  };
  const { sessionId } = await post(`${url}/api/v1/embed/generate-session`, grant, adminKey);
  const { token } = await post(`${url}/api/v1/embed/session/token`, { sessionId });
  if (token === undefined) throw new Error('The platform returned no embed token.');
  return token;
}

async function dataToken(url: string, token: string): Promise<string> {
  const { platformApiToken } = await post(`${url}/api/v1/deployments/1/token`, {}, token);
  if (platformApiToken === undefined) throw new Error('The platform returned no data token.');
  return platformApiToken;
}

async function post(url: string, body: object, credential?: string): Promise<Record<string, string>> {
  const authorization: Record<string, string> =
    credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${new URL(url).pathname} returned ${response.status}.`);
  return response.json();
}
