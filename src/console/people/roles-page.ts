import { deleteRole, listRoles } from '../../client/operations/account.js';
import { type ListPage, type PageTools, withoutSearch } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the custom roles and their policies. */
export function rolesPage({ call, messages }: PageTools): ListPage {
  return {
    id: 'roles',
    title: messages.roles,
    searchLabel: null,
    columns: [messages.name, messages.policies],
    create: null,
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listRoles(connection, withoutSearch(request), { signal }));
      const rows = items.map(({ id, name, policies }) => ({
        id: String(id),
        name,
        cells: [
          name,
          policies
            .map(
              ({ resourceType, actions, resources }) =>
                `${resourceType} ${resources.join(', ')}: ${actions.join(', ')}`,
            )
            .join('; '),
        ],
        actions: [
          {
            label: messages.delete,
            question: withName(messages.confirmDeleteRole, name),
            run: () => call(connection => deleteRole(connection, id)),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
  };
}
