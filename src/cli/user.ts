import type { PlatformConnection } from '../client/http/connection.js';
import { eachItem } from '../client/operations/pagination.js';
import { endUserSessions, setUserPassword } from '../client/operations/sign-in.js';
import { createUser, listUsers } from '../client/operations/users.js';
import type { User } from '../contract/users.js';
import { type CommandContext, ExitCode } from './command.js';
import type { PasswordInput } from './read-password.js';
import { readKey } from './target-options.js';
import type { UserOptions } from './user-options.js';

const minPasswordLength = 12;

/** Context of a command that reads a password. */
export interface UserContext extends CommandContext {
  readonly readPassword: (input: PasswordInput) => Promise<string>;
}

/** Creates a user with a password, sets the password of a user, or ends the sessions of a user. */
export async function user(options: UserOptions, context: UserContext): Promise<ExitCode> {
  const { environment, signal, note } = context;
  const connection = { baseUrl: options.target.url, token: await readKey(options.target, environment) };
  const { email } = options;
  switch (options.task) {
    case 'add': {
      const { name, role } = options;
      const password = await readNewPassword(context);
      const isAdmin = role === 'Admin';
      const defaultRoles = role === null || isAdmin ? [] : [role];
      const body = { username: email, email, firstName: name, isAdmin, defaultRoles };
      const created = await createUser(connection, body, { signal });
      await setUserPassword(connection, created.id, { password }, { signal });
      note(`Created user ${email} (${created.id}). Sign in at ${new URL('/console', options.target.url).href}`);
      return ExitCode.done;
    }
    case 'password': {
      const { id } = await findUser(connection, email, signal);
      await setUserPassword(connection, id, { password: await readNewPassword(context) }, { signal });
      note(`Set the password of user ${email} (${id}) and ended their sessions.`);
      return ExitCode.done;
    }
    case 'sign-out': {
      const { id } = await findUser(connection, email, signal);
      await endUserSessions(connection, id, { signal });
      note(`Ended the sessions of user ${email} (${id}).`);
      return ExitCode.done;
    }
  }
}

/**
 * Checks the length before the user is created, so that a password that is too short does not leave a user without a
 * password.
 */
async function readNewPassword({ readPassword, note, signal }: UserContext): Promise<string> {
  const password = await readPassword({ note, signal });
  if (password.length >= minPasswordLength) return password;
  throw new Error(`The password must have at least ${minPasswordLength} characters.`);
}

async function findUser(connection: PlatformConnection, email: string, signal: AbortSignal): Promise<User> {
  const pages = eachItem(page => listUsers(connection, { ...page, search: email }, { signal }), { signal });
  for await (const each of pages) if (each.email.toLowerCase() === email.toLowerCase()) return each;
  throw new Error(`No user has the email ${email}.`);
}
