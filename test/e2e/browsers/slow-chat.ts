import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startSlowModel } from '../slow-model.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const adminKey = 'slow-chat-admin-key-slow-chat-admin-key';

interface Host {
  readonly origin: string;
  open(options: { platformUrl: string; dashboards: object }): void;
  close(): Promise<void>;
}

/** Starts the demo host with a separate platform whose chat model pauses after the first words. */
export async function startSlowChat(): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const { prepareSources }: { prepareSources(): Promise<string> } = await import(`${root}/demo/sources.js`);
  const { startHost }: { startHost(options: object): Promise<Host> } = await import(`${root}/demo/host/server.js`);
  const data = await mkdtemp(join(tmpdir(), 'pa-slow-chat-'));
  const model = await startSlowModel();
  const host = await startHost({ port: 0, adminKey });
  const options = ['--port', '0', '--data', data, '--model', 'demo/model', '--sources', await prepareSources()];
  const platform = spawn(
    process.execPath,
    ['dist/cli/pa-platform.js', 'serve', ...options, '--no-query-log', '--allow-origin', host.origin],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PA_ADMIN_KEY: adminKey, PA_LLM_BASE_URL: model.baseUrl, PA_LLM_MODEL: 'slow' },
    },
  );
  const exited = once(platform, 'exit');
  const stop = async (): Promise<void> => {
    platform.kill('SIGTERM');
    await exited;
    await host.close();
    await model.stop();
    await rm(data, { recursive: true, force: true });
  };
  const platformUrl = await Promise.race([
    new Promise<string>(resolve => {
      createInterface({ input: platform.stdout }).on('line', line => {
        const found = /^pa-platform listening on (\S+)$/.exec(line)?.[1];
        if (found) resolve(found);
      });
    }),
    exited.then(() => null),
  ]);
  if (platformUrl === null) throw new Error('The platform for the slow chat did not start.');
  host.open({ platformUrl, dashboards: {} });
  return { origin: host.origin, stop };
}
