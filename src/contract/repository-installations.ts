import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, optional, PageInfo, PageQuery } from './wire.js';

/**
 * A git host with its credentials, which are never returned. `url`, `username`, `hostKey` and `repositories` are
 * extensions. `avatarUrl` is empty, because git hosts have no common URL scheme for avatars.
 */
export const RepositoryInstallation = z.looseObject({
  id: z.string(),
  /** The id as text; other operations take it as a number. */
  installationId: z.string(),
  /** Display name. */
  login: z.string(),
  avatarUrl: z.string(),
  url: z.string(),
  username: z.string(),
  hostKey: optional(z.string()),
  repositories: z.array(z.string()),
});
/** A git host with its credentials. */
export type RepositoryInstallation = z.infer<typeof RepositoryInstallation>;

/** A repository that deployments may be connected to. `id` is derived from the name. */
export const HostedRepository = z.looseObject({ id: z.int(), name: z.string(), htmlUrl: z.string() });
/** A branch of a repository of a git host. */
export const HostedBranch = z.looseObject({ name: z.string(), isDefault: z.boolean() });

const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.looseObject({ items: z.array(item), data: z.array(item), pageInfo: PageInfo });

const maxRepositories = 500;
const RepositoryName = z.string().check(z.minLength(3), z.maxLength(200));
const fields = {
  login: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  url: z.string().check(z.maxLength(500)),
  username: optional(
    z.string().check(z.maxLength(200), z.regex(/^[\x21-\x39\x3b-\x7e]+$/, 'must not contain spaces or colons')),
  ),
  hostKey: optional(
    z
      .string()
      .check(
        z.maxLength(5000),
        z.regex(
          /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]+={0,2}$/,
          'must be the public key of the host, such as ssh-ed25519 AAAA…, without a comment',
        ),
      ),
  ),
  repositories: z.array(RepositoryName).check(z.maxLength(maxRepositories)),
} as const;
const Token = z
  .string()
  .check(z.maxLength(4000), z.regex(/^[\x21-\x7e]+$/, 'must be a token without spaces or line breaks'));
const PrivateKey = z
  .string()
  .check(
    z.maxLength(20_000),
    z.regex(
      /^-----BEGIN [A-Z ]+-----\n[\x20-\x7e\r\n]+-----END [A-Z ]+-----\s*$/,
      'must be a private key in PEM format',
    ),
  );
const body = z.strictObject({ ...fields, token: optional(Token), privateKey: optional(PrivateKey) });

const path = '/api/v1/repohost/installations';
const one = `${path}/{installationId}` as const;
const common = { api: 'platform', access: 'developer' } as const;
const InstallationParams = z.strictObject({ installationId: IdParam });
const administered = { api: 'platform', access: 'admin' } as const;
const missing = { 404: 'The installation does not exist.' } as const;
const taken = { 409: 'Another installation has this name.' } as const;

/**
 * Lists the git hosts that an administrator has configured, oldest first. The four operations that read repositories
 * require the role AI BI Developer, and an API key or a signed-in user.
 */
export const listRepositoryInstallations = operation({
  ...common,
  id: 'installations',
  method: 'GET',
  path,
  query: PageQuery,
  response: listOf(RepositoryInstallation),
  errors: {},
});

/** Lists the repositories of a git host that deployments may be connected to. The administrator has named them. */
export const listHostedRepositories = operation({
  ...common,
  id: 'repositories',
  method: 'GET',
  path: `${one}/repositories`,
  params: InstallationParams,
  query: PageQuery,
  response: listOf(HostedRepository),
  errors: missing,
});

/**
 * Lists the branches of a repository, which the platform reads from the git host. Requires `SchemaUpdate` on all
 * deployments.
 */
export const listHostedBranches = operation({
  ...common,
  id: 'branches',
  method: 'GET',
  path: '/api/v1/repohost/repositories/{owner}/{repo}/branches',
  params: z.strictObject({ owner: z.string().check(z.maxLength(200)), repo: z.string().check(z.maxLength(200)) }),
  query: z.extend(PageQuery, { installationId: IdParam }),
  response: listOf(HostedBranch),
  errors: {
    404: 'The installation does not exist, or does not have the repository.',
    409: 'The address of the git host is not allowed.',
    502: 'The git host could not be reached, or rejected the request.',
  },
});

/** Returns whether a git host is configured. Both addresses are those of the console. */
export const getRepositoryStatus = operation({
  ...common,
  id: 'status',
  method: 'GET',
  path: '/api/v1/repohost/status',
  response: z.looseObject({ connected: z.boolean(), linkUrl: z.string(), settingsUrl: z.string() }),
  errors: {},
});

/**
 * Configures a git host, which is an extension, like its change and its deletion. They require an API key or a
 * signed-in user with the admin role. `url` is `https://host/path` with a `token`, or `ssh://user@host/path` with a
 * `privateKey` and the `hostKey`. The name of a repository and `.git` are appended to it. `username` is the user of the
 * token, `x-access-token` by default. Deployments can be connected only to `repositories`. Token and key are stored
 * encrypted and never returned.
 */
export const createRepositoryInstallation = operation({
  ...administered,
  id: 'createInstallation',
  method: 'POST',
  path,
  body,
  response: RepositoryInstallation,
  errors: taken,
});

/**
 * Replaces a git host. Without `token` and `privateKey`, the stored secret stays unchanged; it is required if `url`,
 * `username` or `hostKey` changes, so that the secret never reaches another host.
 */
export const updateRepositoryInstallation = operation({
  ...administered,
  id: 'updateInstallation',
  method: 'PUT',
  path: one,
  params: InstallationParams,
  body,
  response: RepositoryInstallation,
  errors: { ...missing, ...taken },
});

/** Deletes a git host with its secret. Returns 409 while deployments are connected to its repositories. */
export const deleteRepositoryInstallation = operation({
  ...administered,
  id: 'deleteInstallation',
  method: 'DELETE',
  path: one,
  params: InstallationParams,
  response: null,
  errors: { ...missing, 409: 'Deployments are connected to repositories of the installation.' },
});
