import { listRoles } from '../../client/operations/account.js';
import {
  addAccountGroupMembers,
  createAccountGroup,
  deleteAccountGroup,
  getAccountGroup,
  listAccountGroupMembers,
  listAccountGroups,
  removeAccountGroupMembers,
} from '../../client/operations/account-groups.js';
import { findUser } from './find-user.js';
import type { ListPage, PageTools } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the groups of the account. A group can have a custom role, which its members have too. */
export function groupsPage(tools: PageTools): ListPage {
  const { call, messages, time } = tools;
  return {
    id: 'groups',
    title: messages.groups,
    searchLabel: messages.search,
    columns: [messages.name, messages.role, messages.members, messages.created],
    create: {
      label: messages.newGroup,
      button: messages.create,
      fields: [
        { name: 'name', label: messages.name },
        { name: 'role', label: messages.role, options: roles },
      ],
      async run({ name = '', role = '' }) {
        await call(connection => createAccountGroup(connection, { name, ...(role && { roleId: Number(role) }) }));
        return null;
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listAccountGroups(connection, request, { signal }));
      const rows = items.map(({ id, name, role, userCount, createdAt }) => ({
        id: String(id),
        name,
        cells: [name, role?.name ?? '', String(userCount), time(createdAt)],
        links: [{ label: messages.members, href: `#groups/${id}` }],
        actions: [
          {
            label: messages.delete,
            question: withName(messages.confirmDelete, name),
            run: () => call(connection => deleteAccountGroup(connection, id)),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
    detail: ([id]) => (/^\d+$/.test(id ?? '') ? membersPage(tools, Number(id)) : null),
  };

  async function roles() {
    const { items } = await call(connection => listRoles(connection, {}));
    return [{ value: '', label: messages.none }, ...items.map(({ id, name }) => ({ value: String(id), label: name }))];
  }
}

function membersPage(tools: PageTools, id: number): ListPage {
  const { call, messages } = tools;
  return {
    id: `groups/${id}`,
    title: messages.members,
    name: async () => (await call(connection => getAccountGroup(connection, id))).name,
    searchLabel: messages.search,
    columns: [messages.name, messages.email, messages.tenant, messages.status],
    create: {
      label: messages.addMember,
      button: messages.add,
      fields: [{ name: 'user', label: messages.nameOrEmail }],
      async run({ user = '' }) {
        const userId = await findUser(tools, user);
        await call(connection => addAccountGroupMembers(connection, { id }, { userIds: [userId] }));
        return null;
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection =>
        listAccountGroupMembers(connection, { id }, request, { signal }),
      );
      const rows = items.map(member => {
        const name = member.firstName || member.username;
        const status = member.isDeactivated ? messages.deactivated : messages.active;
        return {
          id: String(member.id),
          name,
          cells: [name, member.email ?? '', member.embedTenantName ?? '', status],
          actions: [
            {
              label: messages.remove,
              question: withName(messages.confirmRemove, name),
              run: () => call(connection => removeAccountGroupMembers(connection, { id }, { userIds: [member.id] })),
            },
          ],
        };
      });
      return { items: rows, pageInfo };
    },
  };
}
