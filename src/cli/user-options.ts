import type { BuiltInRole } from '../contract/roles.js';
import { parseFlags, UsageError } from './command.js';
import { readRole, takeName } from './key-options.js';
import { accountFlags, accountHelp, readTarget, type TargetOptions } from './target-options.js';

/** Options of `pa-platform user`. */
export type UserOptions = { readonly target: TargetOptions; readonly email: string } & (
  | { readonly task: 'add'; readonly name: string | null; readonly role: BuiltInRole | null }
  | { readonly task: 'password' | 'sign-out' }
);

/** Text of `pa-platform user --help`. */
export const userHelp = `Creates users of a running platform who sign in with email and password, and ends their sessions.

  pa-platform user add EMAIL [--admin | --role ROLE] [--name NAME] [options]
  pa-platform user password EMAIL [options]
  pa-platform user sign-out EMAIL [options]

The commands "add" and "password" read the new password (at least 12 characters) from the terminal, or from the first
line of stdin. The first administrator with a password is the break-glass administrator: the password stays valid when
the account requires single sign-on. "password" also ends the sessions of the user; "sign-out" ends them without a
change of the password.

  --admin          the user is an administrator
  --role ROLE      AIBIViewer, AIBIUser or AIBIDeveloper
  --name NAME      display name
${accountHelp}`;

const addFlags = {
  ...accountFlags,
  admin: { type: 'boolean', default: false },
  role: { type: 'string' },
  name: { type: 'string' },
} as const;

/**
 * Parses the arguments after `user`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readUserOptions([task, ...args]: readonly string[]): UserOptions | null {
  if (task === '--help') return null;
  const { name: email, rest } = takeName(args);
  if (task === 'add') {
    const { help, admin, role: roleName, name = null, ...target } = parseFlags('user', rest, addFlags);
    if (help) return null;
    const role = readRole(roleName);
    if (admin && role !== null) throw new UsageError('--admin and --role are mutually exclusive: set one of them.');
    return { task, email: readEmail(email), name, role: admin ? 'Admin' : role, target: readTarget(target) };
  }
  if (task === 'password' || task === 'sign-out') {
    const { help, ...target } = parseFlags('user', rest, accountFlags);
    return help ? null : { task, email: readEmail(email), target: readTarget(target) };
  }
  throw new UsageError('Usage: pa-platform user add|password|sign-out EMAIL (see pa-platform user --help)');
}

function readEmail(text: string | null): string {
  if (text !== null && /^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageError('Missing email. Usage: pa-platform user add EMAIL (see pa-platform user --help)');
}
