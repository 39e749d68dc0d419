import { type BuiltInRole, builtInRoles } from '../contract/roles.js';
import { parseFlags, readNumber, UsageError } from './command.js';
import { readTarget, type TargetOptions, targetFlags } from './target-options.js';

/** What `pa-platform key` was asked for. */
export type KeyOptions = { readonly target: TargetOptions } & (
  | {
      readonly task: 'add';
      readonly name: string;
      readonly who: { readonly userId: number } | { readonly username: string };
      readonly role: BuiltInRole | null;
    }
  | { readonly task: 'list'; readonly json: boolean }
  | { readonly task: 'revoke'; readonly key: string }
);

/** Text of `pa-platform key --help`. */
export const keyHelp = `Makes, lists and revokes the API keys of a running platform.

  pa-platform key add NAME (--user NAME | --user-id ID) [--role ROLE] [options]
  pa-platform key list [--json] [options]
  pa-platform key revoke NAME|ID [options]

add prints the key, and nothing else, on stdout: it is told this once. revoke ends a key at its next request.

  --user NAME      whose key it is: a user of the account, made with the role where there is none of that name
  --user-id ID     the same, by its id
  --role ROLE      ${builtInRoles.join(', ')}: the most that the key gives, and never more than the user may;
                   without it all that the user may
  --json           prints the keys as one JSON list
  --url URL        address of the platform (http://127.0.0.1:4100); HTTPS, or HTTP on loopback
  --key-file FILE  file with the API key of an admin, in place of PA_ADMIN_KEY: a key is never an argument
  --help           this text

Environment
  PA_ADMIN_KEY     API key of an admin`;

const { url, 'key-file': keyFile } = targetFlags;
const common = { url, 'key-file': keyFile, help: { type: 'boolean', default: false } } as const;
const addFlags = {
  ...common,
  user: { type: 'string' },
  'user-id': { type: 'string' },
  role: { type: 'string' },
} as const;
const listFlags = { ...common, json: { type: 'boolean', default: false } } as const;

/**
 * Reads the arguments that follow `key`; `null` asks for the help text.
 * @throws UsageError
 */
export function readKeyOptions([task, ...args]: readonly string[]): KeyOptions | null {
  if (task === '--help') return null;
  switch (task) {
    case 'add':
      return readAdd(args);
    case 'list': {
      const { help, json, ...target } = parseFlags('key', args, listFlags);
      return help ? null : { task, json, target: readTarget(target) };
    }
    case 'revoke': {
      const { name, rest } = takeName(args);
      const { help, ...target } = parseFlags('key', rest, common);
      if (help) return null;
      if (name === null) throw new UsageError('Name the key to revoke: pa-platform key revoke NAME (see key --help).');
      return { task, key: name, target: readTarget(target) };
    }
    default:
      throw new UsageError('Say what to do: pa-platform key add, list or revoke (see pa-platform key --help).');
  }
}

function readAdd(args: readonly string[]): KeyOptions | null {
  const { name, rest } = takeName(args);
  const { help, user, 'user-id': userId, role, ...target } = parseFlags('key', rest, addFlags);
  if (help) return null;
  if (name === null) throw new UsageError('Name the key: pa-platform key add NAME --user NAME (see key --help).');
  return { task: 'add', name, who: readWho(user, userId), role: readRole(role), target: readTarget(target) };
}

function readWho(username: string | undefined, userId: string | undefined) {
  if (username !== undefined && userId === undefined) return { username };
  if (userId !== undefined && username === undefined) {
    return { userId: readNumber('user-id', userId, 1, Number.MAX_SAFE_INTEGER) };
  }
  throw new UsageError('Say whose key it is: --user NAME or --user-id ID.');
}

function readRole(text: string | undefined): BuiltInRole | null {
  if (text === undefined) return null;
  const role = builtInRoles.find(name => name === text);
  if (role === undefined) throw new UsageError(`--role must be one of ${builtInRoles.join(', ')}.`);
  return role;
}

/** The name stands first, before the flags. */
function takeName(args: readonly string[]): { readonly name: string | null; readonly rest: readonly string[] } {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? { name: null, rest: args } : { name: first, rest };
}
