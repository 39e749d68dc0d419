import { PaError, PaErrorCode } from '../../client/errors.js';
import { listUsers } from '../../client/operations/users.js';
import type { PageTools } from './list-page.js';
import { withName } from './people-messages.js';

/**
 * Returns the id of the user with exactly this user name or email.
 * @throws PaError if there is none.
 */
export async function findUser(
  { call, messages }: Pick<PageTools, 'call' | 'messages'>,
  text: string,
): Promise<number> {
  const { items } = await call(connection => listUsers(connection, { first: 100, search: text }));
  const requested = text.toLowerCase();
  const found = items.find(({ username, email }) => [username, email].some(each => each.toLowerCase() === requested));
  if (!found) throw new PaError(PaErrorCode.notFound, withName(messages.noUser, text));
  return found.id;
}
