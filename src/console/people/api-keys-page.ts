import { createApiKey, listApiKeys, revokeApiKey } from '../../client/operations/account.js';
import { getMe } from '../../client/operations/users.js';
import { builtInRoles, isBuiltInRole } from './built-in-roles.js';
import type { ListPage, PageTools } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the API keys of all users. A new key is shown once. */
export function apiKeysPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'api-keys',
    title: messages.apiKeys,
    searchLabel: messages.search,
    columns: [messages.name, messages.user, messages.role, messages.created, messages.lastUsed, messages.expires],
    create: {
      label: messages.newKey,
      button: messages.create,
      fields: [
        { name: 'name', label: messages.name },
        { name: 'username', label: messages.userOfKey, isOptional: true },
        { name: 'role', label: messages.limitToRole, options: roles },
        { name: 'expires', label: messages.expires, type: 'date', isOptional: true },
      ],
      async run({ name = '', username = '', role = '', expires = '' }) {
        const { key } = await call(async connection =>
          createApiKey(connection, {
            name,
            ...(username ? { username } : { userId: (await getMe(connection)).id }),
            ...(isBuiltInRole(role) && { role }),
            ...(expires && { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
          }),
        );
        return { secret: key };
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listApiKeys(connection, request, { signal }));
      const rows = items.map(({ id, name, user, role, createdAt, lastUsedAt, expiresAt }) => ({
        id: String(id),
        name,
        cells: [name, user.username, role ?? '', time(createdAt), time(lastUsedAt), time(expiresAt)],
        actions: [
          {
            label: messages.revoke,
            question: withName(messages.confirmRevoke, name),
            run: () => call(connection => revokeApiKey(connection, id)),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
  };

  async function roles() {
    return [{ value: '', label: messages.none }, ...builtInRoles.map(value => ({ value, label: value }))];
  }
}
