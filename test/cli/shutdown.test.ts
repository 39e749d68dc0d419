import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.js';
import { allRowsPolicy } from '../platform/data/model/model-yaml.js';
import { openEmbedSession } from '../platform/embed/open-embed-session.js';
import { cliCommand } from './cli-command.js';

const adminKey = 'the-admin-key-of-tests';
/** Dimension that computes forever and ignores interrupts. */
const model = `cubes:
  - name: flights
    sql_table: flights
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: stuck, sql: "(code || '${'a'.repeat(2000)}') ILIKE '${'%a'.repeat(20)}%b'", type: boolean }
    ${allRowsPolicy}
`;

async function post(url: string, key: string, body: object, signal?: AbortSignal) {
  const headers = { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
  return response.json();
}

/** Processes that were started with this folder for temporary files. */
async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const read = async (id: string) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
  const environments = await Promise.all(ids.map(async id => [id, await read(id)] as const));
  return environments.filter(([, text]) => text.includes(`TMPDIR=${folder}`)).map(([id]) => id);
}

test.runIf(process.platform === 'linux')(
  'SIGTERM ends every process and stops the database while statements run that ignore interrupts',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-shutdown-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'flights.csv'), 'id,code\n1,LAX\n2,SFO\n');
    await writeFile(join(folder, 'model.yml'), model);
    const served = ['--model', folder, '--sources', folder, '--data', join(folder, 'data'), '--ops-port', '0'];
    const child = spawn(process.execPath, [...cliCommand, 'serve', '--port', '0', '--no-query-log', ...served], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder, PA_ADMIN_KEY: adminKey },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    let notes = '';
    child.stderr.on('data', chunk => {
      notes += chunk;
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const url = String(line).replace('pa-platform listening on ', '');

    const grant = { externalId: 'a', embedTenantName: 'tenant-a', securityContext: {} };
    const { platformApiToken } = await openEmbedSession({ url, adminKey }, grant);

    const disconnect = new AbortController();
    const query = (path: string, body: object) =>
      post(`${url}/data-api/v1/${path}`, platformApiToken, body, disconnect.signal).catch(() => undefined);
    const responses = [
      query('load', { query: { dimensions: ['flights.stuck'] } }),
      query('sql', { query: 'SELECT stuck FROM flights' }),
    ];
    const ops = await eventually(() => {
      const found = /ops listening on (\S+)/.exec(notes)?.[1];
      if (found === undefined) throw new Error(notes);
      return found;
    });
    await eventually(async () =>
      expect(await (await fetch(`${ops}/metrics`)).text()).toContain('pa_queries_running 2'),
    );
    disconnect.abort();
    child.kill('SIGTERM');
    await closed;
    await Promise.all(responses);

    // `process.exit` would wait for the load query, so the process must have ended by the signal.
    expect(child.signalCode).toBe('SIGTERM');
    expect(notes).toContain('did not stop');
    await eventually(async () => expect(await processesOf(folder)).toEqual([]));
    const files = await readdir(join(folder, 'data'), { recursive: true });
    expect(files.filter(name => name.endsWith('postmaster.pid'))).toEqual([]);
  },
);
