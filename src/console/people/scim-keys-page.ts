import { createScimKey, listScimKeys, revokeScimKey } from '../../client/operations/scim.js';
import type { ListPage, PageTools } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the keys of directories. A new key is shown once. */
export function scimKeysPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'scim-keys',
    title: messages.scimKeys,
    searchLabel: messages.search,
    columns: [messages.name, messages.created, messages.lastUsed],
    create: {
      label: messages.newScimKey,
      button: messages.create,
      fields: [{ name: 'name', label: messages.name }],
      async run({ name = '' }) {
        return { secret: (await call(connection => createScimKey(connection, { name }))).key };
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listScimKeys(connection, request, { signal }));
      const rows = items.map(({ id, name, createdAt, lastUsedAt }) => ({
        id: String(id),
        name,
        cells: [name, time(createdAt), time(lastUsedAt)],
        actions: [
          {
            label: messages.revoke,
            question: withName(messages.confirmRevoke, name),
            run: () => call(connection => revokeScimKey(connection, id)),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
  };
}
