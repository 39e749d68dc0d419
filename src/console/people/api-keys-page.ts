import { createApiKey, listApiKeys, revokeApiKey } from '../../client/operations/account.js';
import { builtInRoles } from '../../contract/roles.js';
import { type ListPage, type PageTools, withoutSearch } from './list-page.js';
import { withName } from './people-messages.js';

/** The API keys of all users. A new key is shown once. */
export function apiKeysPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'api-keys',
    title: messages.apiKeys,
    searchLabel: null,
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
        const limit = builtInRoles.find(each => each === role);
        const { key } = await call(connection =>
          createApiKey(connection, {
            name,
            ...(username && { username }),
            ...(limit && { role: limit }),
            ...(expires && { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
          }),
        );
        return { secret: key };
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listApiKeys(connection, withoutSearch(request), { signal }));
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
