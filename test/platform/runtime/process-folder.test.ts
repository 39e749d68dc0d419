import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeProcessFolder } from '../../../src/platform/runtime/process-folder.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pa-folders-'));
  vi.stubEnv('TMPDIR', root);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

/** Creates a folder for a process ID. */
async function folderOf(processId: number | undefined): Promise<string> {
  const own = basename(await makeProcessFolder('test'));
  const name = own.replace(`-${process.pid}-`, `-${processId}-`);
  await mkdir(join(root, name), { recursive: true });
  await writeFile(join(root, name, 'spilled'), 'rows');
  if (name !== own) await rm(join(root, own), { recursive: true });
  return name;
}

describe('a folder of a process', () => {
  it('is removed by the next start if its process was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const left = await folderOf(child.pid);
    await makeProcessFolder('test');
    expect(await readdir(root)).toContain(left);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await makeProcessFolder('test');
    expect(await readdir(root)).not.toContain(left);
  });

  it('stays while this process, or one on another machine, may use it', async () => {
    const own = await folderOf(process.pid);
    const elsewhere = own
      .replace(/^pa-test-[^-]+-/, 'pa-test-0123456789abcdef-')
      .replace(String(process.pid), '2147483646');
    await mkdir(join(root, elsewhere));
    await mkdir(join(root, 'pa-test-x'));
    await makeProcessFolder('test');
    expect(await readdir(root)).toEqual(expect.arrayContaining([own, elsewhere, 'pa-test-x']));
  });

  it('is removed if an earlier process had the same ID', async () => {
    const own = await folderOf(process.pid);
    await utimes(join(root, own), 1, 1);
    await makeProcessFolder('test');
    expect(await readdir(root)).not.toContain(own);
  });
});
