import { type BuiltInRole, builtInRoles } from '../contract/roles.js';
import { parseFlags, readNumber, UsageError } from './command.js';
import { accountFlags, accountHelp, readTarget, type TargetOptions } from './target-options.js';

/** Options of `pa-platform key`. */
export type KeyOptions = { readonly target: TargetOptions } & (
  | {
      readonly task: 'add';
      readonly name: string;
      readonly who: { readonly userId: number } | { readonly username: string };
      readonly role: BuiltInRole | null;
      /** ISO 8601; `null` for a key that does not expire. */
      readonly expiresAt: string | null;
    }
  | { readonly task: 'add-scim'; readonly name: string }
  | { readonly task: 'list'; readonly json: boolean; readonly scim: boolean }
  | { readonly task: 'revoke'; readonly key: string; readonly scim: boolean }
);

/** Text of `pa-platform key --help`. */
export const keyHelp = `Creates, lists and revokes API keys of a running platform.

  pa-platform key add NAME (--user NAME | --user-id ID) [--role ROLE] [--expires TIME] [options]
  pa-platform key add NAME --scim [options]
  pa-platform key list [--scim] [--json] [options]
  pa-platform key revoke NAME|ID [--scim] [options]

add prints only the key to stdout. Store it: it is not shown again. A revoked key is rejected from the next request on.

  --user NAME      owner of the key: a user of the account; created with the role if missing
  --user-id ID     owner of the key, by id
  --role ROLE      ${builtInRoles.join(', ')}: limits the rights of the key;
                   without it, the key has all rights of the user
  --expires TIME   when the key expires: a number of days (90d), or a date or time (2027-01-31,
                   2027-01-31T12:00:00Z); without it, the key does not expire
  --scim           keys of directories that provision users and groups (SCIM), instead of API keys
  --json           prints the keys as one JSON list
${accountHelp}`;

const addFlags = {
  ...accountFlags,
  user: { type: 'string' },
  'user-id': { type: 'string' },
  role: { type: 'string' },
  expires: { type: 'string' },
  scim: { type: 'boolean', default: false },
} as const;
const revokeFlags = { ...accountFlags, scim: { type: 'boolean', default: false } } as const;
const listFlags = { ...revokeFlags, json: { type: 'boolean', default: false } } as const;

/**
 * Parses the arguments after `key`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readKeyOptions([task, ...args]: readonly string[]): KeyOptions | null {
  if (task === '--help') return null;
  switch (task) {
    case 'add':
      return readAdd(args);
    case 'list': {
      const { help, json, scim, ...target } = parseFlags('key', args, listFlags);
      return help ? null : { task, json, scim, target: readTarget(target) };
    }
    case 'revoke': {
      const { name, rest } = takeName(args);
      const { help, scim, ...target } = parseFlags('key', rest, revokeFlags);
      if (help) return null;
      if (name === null)
        throw new UsageError('Missing key name. Usage: pa-platform key revoke NAME|ID (see pa-platform key --help)');
      return { task, key: name, scim, target: readTarget(target) };
    }
    default:
      throw new UsageError('Usage: pa-platform key add|list|revoke (see pa-platform key --help)');
  }
}

function readAdd(args: readonly string[]): KeyOptions | null {
  const { name, rest } = takeName(args);
  const { help, user, 'user-id': userId, role, expires, scim, ...target } = parseFlags('key', rest, addFlags);
  if (help) return null;
  if (name === null)
    throw new UsageError('Missing key name. Usage: pa-platform key add NAME --user NAME (see pa-platform key --help)');
  if (scim) {
    if ([user, userId, role, expires].some(value => value !== undefined)) {
      throw new UsageError(
        'A SCIM key belongs to no user, has no role and does not expire: remove --user, --user-id, --role and --expires.',
      );
    }
    return { task: 'add-scim', name, target: readTarget(target) };
  }
  return {
    task: 'add',
    name,
    who: readWho(user, userId),
    role: readRole(role),
    expiresAt: readExpiry(expires),
    target: readTarget(target),
  };
}

const dayMs = 24 * 60 * 60 * 1000;

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null;
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  const at =
    days === undefined ? Date.parse(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : '') : Date.now() + Number(days) * dayMs;
  if (Number.isNaN(at)) {
    throw new UsageError('--expires must be a number of days such as 90d, or a date such as 2027-01-31.');
  }
  return new Date(at).toISOString();
}

function readWho(username: string | undefined, userId: string | undefined) {
  if (username !== undefined && userId === undefined) return { username };
  if (userId !== undefined && username === undefined) {
    return { userId: readNumber('user-id', userId, 1, Number.MAX_SAFE_INTEGER) };
  }
  throw new UsageError('Missing owner of the key: set --user NAME or --user-id ID.');
}

/**
 * Reads the name of a built-in role.
 * @throws UsageError
 */
export function readRole(text: string | undefined): BuiltInRole | null {
  if (text === undefined) return null;
  const role = builtInRoles.find(name => name === text);
  if (role === undefined) throw new UsageError(`--role must be one of ${builtInRoles.join(', ')}, not "${text}".`);
  return role;
}

/** Separates the name from the flags that follow it. */
export function takeName(args: readonly string[]): { readonly name: string | null; readonly rest: readonly string[] } {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? { name: null, rest: args } : { name: first, rest };
}
