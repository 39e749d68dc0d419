import { listRoles } from '../../client/operations/account.js';
import { endUserSessions } from '../../client/operations/sign-in.js';
import { createUser, listUsers, updateUser } from '../../client/operations/users.js';
import type { BuiltInRole } from '../../contract/roles.js';
import { builtInRoles } from './built-in-roles.js';
import type { ListPage, PageTools, Row, RowAction } from './list-page.js';
import { withName } from './people-messages.js';

const admin: BuiltInRole = 'Admin';

/** Returns the page with the users of the account. */
export function usersPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'users',
    title: messages.users,
    searchLabel: messages.search,
    columns: [messages.name, messages.email, messages.roles, messages.status, messages.lastSignIn],
    create: {
      label: messages.newUser,
      button: messages.create,
      fields: [
        { name: 'email', label: messages.email, type: 'email' },
        { name: 'username', label: messages.username, isOptional: true },
        { name: 'firstName', label: messages.displayName, isOptional: true },
        { name: 'role', label: messages.role, options: roles },
        { name: 'password', label: messages.newPassword, type: 'password', minLength: 12, isOptional: true },
      ],
      async run({ email = '', username = '', firstName = '', role = '', password = '' }) {
        const rights = role === admin ? { isAdmin: true } : role && { defaultRoles: [role] };
        const user = {
          username: username || email,
          email,
          ...(firstName && { firstName }),
          ...(password && { password }),
        };
        await call(connection => createUser(connection, { ...user, ...(rights || {}) }));
        return null;
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listUsers(connection, request, { signal }));
      return { items: items.map(show), pageInfo };
      function show(user: (typeof items)[number]): Row {
        const { id, email, username } = user;
        const name = user.firstName || username;
        const isDeactivated = user.isDeactivated === true;
        const roleNames = [...(user.isAdmin ? [messages.administrator] : []), ...(user.defaultRoles ?? [])];
        const status = isDeactivated ? messages.deactivated : messages.active;
        const set = (deactivate: boolean) => () =>
          call(connection => updateUser(connection, id, { isDeactivated: deactivate }));
        const actions: RowAction[] = isDeactivated
          ? [{ label: messages.activate, question: null, run: set(false) }]
          : [
              {
                label: messages.endSessions,
                question: withName(messages.confirmEndSessions, name),
                run: () => call(connection => endUserSessions(connection, id)),
              },
              { label: messages.deactivate, question: withName(messages.confirmDeactivate, name), run: set(true) },
            ];
        const cells = [name, email, roleNames.join(', '), status, time(user.lastLogin)];
        return { id: String(id), name, cells, actions };
      }
    },
  };

  async function roles() {
    const { items } = await call(connection => listRoles(connection, {}));
    const builtIn = builtInRoles.map(name => ({ value: name, label: name === admin ? messages.administrator : name }));
    const custom = items.map(({ name }) => ({ value: name, label: name }));
    return [{ value: '', label: messages.none }, ...builtIn, ...custom];
  }
}
