import { rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { PlatformError } from '../../errors.js';
import { makeProcessFolder, removeAbandonedFolders } from '../../runtime/process-folder.js';
import { AddressNotAllowed, guardedLookup, isPublicAddress } from '../../runtime/public-address.js';
import type { Remote } from '../git/run-remote-git.js';

/** Options of the git hosts that repositories can be connected from. */
export interface GitHostOptions {
  /** Hosts that may have addresses of a private network, such as `git.example.internal`; none by default. */
  readonly privateHosts?: readonly string[];
  /** PEM file with the certificates that are trusted instead of those of the system. */
  readonly certificateFile?: string;
  /** For tests: folder whose bare repositories are used instead of those of all git hosts. */
  readonly testing?: { readonly folder: string };
}

/** Address and credentials of a git host. */
export interface GitHost {
  /** `https://host/path` or `ssh://user@host/path`. */
  readonly url: string;
  /** Name of the user that the token belongs to; unused for ssh. */
  readonly username: string;
  /** Token, or private key for ssh. */
  readonly secret: string;
  /** Public key of the host, such as `ssh-ed25519 AAAA…`; `null` for https. */
  readonly hostKey: string | null;
}

/** Parts of the URL of a git host. */
interface HostAddress {
  readonly scheme: 'https' | 'ssh';
  readonly host: string;
  readonly port: number;
}

const label = '[a-z\\d](?:[a-z\\d-]*[a-z\\d])?';
const hostName = `${label}(?:\\.${label})*`;
const hostPattern = new RegExp(`^${hostName}$`);
const urlPattern = new RegExp(
  `^(?:(https)://|(ssh)://[A-Za-z_][\\w.-]*@)(${hostName})(?::(\\d{1,5}))?(?:/[\\w.~-]+)*$`,
);
const namePattern = /^[A-Za-z\d_][\w-]*(?:\.[\w-]+)*(?:\/[A-Za-z\d_][\w-]*(?:\.[\w-]+)*){1,5}$/;
const maxName = 200;
const hostAlias = 'installation';
/** Part of the names of the temporary folders that contain SSH keys. */
const keyFolders = 'ssh';

/** Validates the options of git hosts. @throws Error */
export function readGitHostOptions({ privateHosts = [], ...others }: GitHostOptions = {}): GitHostOptions {
  const hosts = privateHosts.map(host => host.trim().toLowerCase());
  const wrong = hosts.find(host => !hostPattern.test(host));
  if (wrong === undefined) return { ...others, privateHosts: hosts };
  throw new Error(`PA_GIT_PRIVATE_HOSTS: ${wrong} must be a host name such as git.example.internal.`);
}

/** Reads the URL of a git host; `null` if it is not valid. */
export function readHostUrl(url: string): HostAddress | null {
  const [, https, ssh, host = '', port] = urlPattern.exec(url) ?? [];
  if (host === '' || url.includes('/..') || url.includes('/./')) return null;
  // Reject numeric hosts such as 127.1, because programs convert them to different addresses.
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(host) && isIP(host) !== 4) return null;
  const scheme = https === undefined ? 'ssh' : 'https';
  const number = Number(port ?? (ssh === undefined ? 443 : 22));
  return number > 0 && number < 65_536 ? { scheme, host, port: number } : null;
}

/** True for the name of a repository, such as `acme/model`. */
export function isRepositoryName(name: string): boolean {
  return name.length <= maxName && namePattern.test(name) && !/\.(?:git|lock)(?:\/|$)/i.test(name);
}

/**
 * Calls `work` with access to a repository of a git host. The address of the host is resolved and checked once, and git
 * connects to this address.
 * @throws PlatformError 409 if the address is not allowed, 502 if the host does not exist.
 */
export async function withRemote<T>(
  host: GitHost,
  name: string,
  options: GitHostOptions,
  work: (remote: Remote) => Promise<T>,
): Promise<T> {
  const address = readHostUrl(host.url);
  if (!address || !isRepositoryName(name)) throw new PlatformError(409, 'The URL of the repository is not valid.');
  if (options.testing) {
    const url = join(options.testing.folder, `${name}.git`);
    return work({ url, config: { 'protocol.file.allow': 'always' }, env: {} });
  }
  const resolved = await resolve(address.host, options);
  const url = `${host.url}/${name}.git`;
  if (address.scheme === 'https') return work(overHttps(url, host, address, resolved, options));
  return withKeyFiles(host, ({ key, hosts }) => work(overSsh(url, { key, hosts, resolved })));
}

function overHttps(
  url: string,
  { url: base, username, secret }: GitHost,
  { host, port }: HostAddress,
  resolved: string,
  { certificateFile }: GitHostOptions,
): Remote {
  const credentials = Buffer.from(`${username}:${secret}`).toString('base64');
  return {
    url,
    config: {
      'protocol.https.allow': 'always',
      'http.curloptResolve': `${host}:${port}:${isIP(resolved) === 6 ? `[${resolved}]` : resolved}`,
      [`http.${base}.extraHeader`]: `Authorization: Basic ${credentials}`,
    },
    env: certificateFile === undefined ? {} : { GIT_SSL_CAINFO: certificateFile },
  };
}

function overSsh(
  url: string,
  { key, hosts, resolved }: { readonly key: string; readonly hosts: string; readonly resolved: string },
): Remote {
  const options = [
    `HostName=${resolved}`,
    `HostKeyAlias=${hostAlias}`,
    `UserKnownHostsFile=${hosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'StrictHostKeyChecking=yes',
    'UpdateHostKeys=no',
    'CheckHostIP=no',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'PreferredAuthentications=publickey',
    'BatchMode=yes',
    'ClearAllForwardings=yes',
    'ConnectTimeout=10',
    'ServerAliveInterval=5',
  ];
  const quoted = [`-i`, key, ...options.flatMap(option => ['-o', option])].map(quote).join(' ');
  return {
    url,
    config: { 'protocol.ssh.allow': 'always' },
    env: { GIT_SSH_COMMAND: `ssh -F /dev/null ${quoted}`, GIT_SSH_VARIANT: 'ssh' },
  };
}

/** Quotes a word for the shell that runs the command for ssh. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Stores the keys in files that only this user can read, and deletes them afterwards. */
async function withKeyFiles<T>(
  { secret, hostKey }: GitHost,
  work: (files: { readonly key: string; readonly hosts: string }) => Promise<T>,
): Promise<T> {
  const folder = await makeProcessFolder(keyFolders);
  try {
    const [key, hosts] = [join(folder, 'key'), join(folder, 'hosts')];
    await writeFile(key, `${secret.trim()}\n`, { mode: 0o600 });
    await writeFile(hosts, `${hostAlias} ${hostKey}\n`, { mode: 0o600 });
    return await work({ key, hosts });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes the key files of platforms that were killed. */
export function removeAbandonedKeys(): Promise<void> {
  return removeAbandonedFolders(keyFolders);
}

/** Resolves a host to an address. All of its addresses must be public, unless the host is allowed to be private. */
async function resolve(host: string, { privateHosts = [] }: GitHostOptions): Promise<string> {
  const isAllowed = privateHosts.includes(host) ? () => true : isPublicAddress;
  try {
    return await new Promise((done, reject) => {
      if (isIP(host) !== 0) return isAllowed(host) ? done(host) : reject(new AddressNotAllowed());
      guardedLookup(isAllowed)(host, { all: true }, (error, found) => {
        const addresses = Array.isArray(found) ? found : [];
        // Prefers IPv4, because git does not try the other addresses.
        const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0];
        if (error || !chosen) reject(error ?? new Error('The host has no address.'));
        else done(chosen.address);
      });
    });
  } catch (error) {
    if (!(error instanceof AddressNotAllowed)) throw new PlatformError(502, 'The name of the git host does not exist.');
    throw new PlatformError(
      409,
      'The git host has an address of a private network. An operator can allow the host with PA_GIT_PRIVATE_HOSTS.',
    );
  }
}
