import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../cli/server/self-signed.js';

/**
 * Files of a commit, by path: the text of a regular file; or a mode with the target of a symbolic link, or with the
 * commit of a submodule.
 */
export type CommitFiles = Readonly<Record<string, string | { readonly mode: string; readonly content: string }>>;

/** Token that the server accepts. */
export const gitToken = 'the-token-of-the-host';

const identity = { GIT_AUTHOR_NAME: 'Zoe', GIT_AUTHOR_EMAIL: 'zoe@acme.example' };
const env = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...identity,
  GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
  GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
};

/** Starts a git host: `git http-backend` behind HTTPS and a token. */
export async function startGitServer() {
  const folder = await mkdtemp(join(tmpdir(), 'pa-git-host-'));
  const { cert, key } = selfSigned('localhost');
  const certificateFile = join(folder, 'ca.pem');
  await writeFile(certificateFile, cert);
  const state = {
    /** Values of the header `authorization`, in order. */
    credentials: [] as (string | undefined)[],
    /** URL to which all requests are redirected; `null` for none. */
    redirect: null as string | null,
  };
  const server = createServer({ cert, key }, (request, response) => {
    state.credentials.push(request.headers.authorization);
    if (state.redirect !== null) response.writeHead(302, { location: `${state.redirect}${request.url}` }).end();
    else if (request.headers.authorization !== `Basic ${btoa(`x-access-token:${gitToken}`)}`)
      response.writeHead(401).end();
    else serveGit(folder, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const pathOf = (name: string) => join(folder, `${name}.git`);
  const git = (name: string, args: readonly string[], input: string | Buffer = '') =>
    execFileSync('git', [`--git-dir=${pathOf(name)}`, ...args], { env, input, stdio: ['pipe', 'pipe', 'pipe'] })
      .toString()
      .trim();

  return {
    state,
    folder,
    certificateFile,
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    git,
    /** Creates an empty repository. */
    create(name: string): void {
      execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', pathOf(name)], { env });
      git(name, ['config', 'http.receivepack', 'true']);
    },
    /** Adds a commit with these files to a branch, without the files that it had. Without a parent if `isRoot`. */
    commit(name: string, files: CommitFiles, { branch = 'main', isRoot = false } = {}): string {
      const hashes = new Map<string, string>();
      const store = (content: string) => {
        const hash = git(name, ['hash-object', '-w', '--stdin'], content);
        hashes.set(content, hash);
        return hash;
      };
      const entries = Object.entries(files).map(([path, file]) => {
        const { mode, content } = typeof file === 'string' ? { mode: '100644', content: file } : file;
        return { path, mode, hash: mode === '160000' ? content : (hashes.get(content) ?? store(content)) };
      });
      const tree = treeOf(entries);
      const parent = isRoot ? [] : parentOf(branch);
      const commit = git(name, ['commit-tree', tree, '-m', 'Change', ...parent]);
      git(name, ['update-ref', `refs/heads/${branch}`, commit]);
      return commit;

      function parentOf(ofBranch: string): string[] {
        const head = git(name, ['for-each-ref', '--format=%(objectname)', `refs/heads/${ofBranch}`]);
        return head === '' ? [] : ['-p', head];
      }

      /** Writes trees without checks, so that paths can be hostile. */
      function treeOf(
        list: readonly { readonly path: string; readonly mode: string; readonly hash: string }[],
      ): string {
        const folders = new Map<string, { path: string; mode: string; hash: string }[]>();
        const own = list.filter(entry => {
          const at = entry.path.indexOf('/');
          if (at <= 0) return true;
          const inside = folders.get(entry.path.slice(0, at)) ?? [];
          folders.set(entry.path.slice(0, at), [...inside, { ...entry, path: entry.path.slice(at + 1) }]);
          return false;
        });
        const trees = [...folders].map(([path, inside]) => ({ path, mode: '40000', hash: treeOf(inside) }));
        const sorted = [...own, ...trees].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
        const bytes = sorted.map(({ mode, path, hash }) =>
          Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(hash, 'hex')]),
        );
        return git(name, ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], Buffer.concat(bytes));
      }
    },
    /** Returns the text of a file of a branch. */
    read: (name: string, path: string, branch = 'main') => git(name, ['show', `${branch}:${path}`]),
    async stop() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const sortKey = ({ path, mode }: { readonly path: string; readonly mode: string }) =>
  mode === '40000' ? `${path}/` : path;

/** Runs `git http-backend` for a request (CGI). */
function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'https://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'x-access-token',
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map(line => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(output.subarray(end + 4));
  });
}
