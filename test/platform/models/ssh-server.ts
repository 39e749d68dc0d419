import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../eventually.js';

const sshd = '/usr/sbin/sshd';

/** Whether the SSH server is installed. */
export const hasSshServer = existsSync(sshd);

/** Starts an SSH server for the repositories of a folder. */
export async function startSshServer(folder: string) {
  const own = join(folder, 'ssh');
  await mkdir(own, { mode: 0o700 });
  // The server requires this folder if it runs as root.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
  for (const name of ['host', 'other', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(own, name)]);
  }
  const publicKey = async (name: string) => (await readFile(join(own, `${name}.pub`), 'utf8')).trim();
  await writeFile(join(own, 'authorized_keys'), `${await publicKey('user')}\n`, { mode: 0o600 });
  const port = await freePort();
  const options = {
    Port: port,
    ListenAddress: '127.0.0.1',
    HostKey: join(own, 'host'),
    AuthorizedKeysFile: join(own, 'authorized_keys'),
    PidFile: 'none',
    StrictModes: 'no',
    UsePAM: 'no',
    PermitRootLogin: 'yes',
    PasswordAuthentication: 'no',
  };
  const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const server = spawn(sshd, ['-D', '-e', '-f', '/dev/null', ...args], { stdio: 'ignore' });
  await eventually(() => reach(port));
  return {
    url: `ssh://${userInfo().username}@localhost:${port}${folder}`,
    privateKey: await readFile(join(own, 'user'), 'utf8'),
    hostKey: await publicKey('host'),
    /** The public key of another host. */
    otherKey: await publicKey('other'),
    async stop() {
      server.kill();
      await rm(own, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
