import { createApiKey, listApiKeys, revokeApiKey } from '../../client/operations/account.js';
import { getMe } from '../../client/operations/users.js';
import type { BuiltInRole } from '../../contract/roles.js';
import { type ListPage, type PageTools, withoutSearch } from './list-page.js';
import { withName } from './people-messages.js';

/** Roles that a key can be limited to. The type makes the compiler check that none is missing. */
const limits: Readonly<Record<BuiltInRole, true>> = {
  AIBIViewer: true,
  AIBIUser: true,
  AIBIDeveloper: true,
  Admin: true,
};
const isLimit = (name: string): name is BuiltInRole => Object.hasOwn(limits, name);

/** Returns the page with the API keys of all users. A new key is shown once. */
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
        const { key } = await call(async connection =>
          createApiKey(connection, {
            name,
            ...(username ? { username } : { userId: (await getMe(connection)).id }),
            ...(isLimit(role) && { role }),
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
    return [{ value: '', label: messages.none }, ...Object.keys(limits).map(value => ({ value, label: value }))];
  }
}
