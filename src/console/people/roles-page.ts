import {
  assignRoleToUser,
  createRole,
  deleteRole,
  getRole,
  listRoles,
  removeRoleFromUser,
} from '../../client/operations/account.js';
import { listUsers } from '../../client/operations/users.js';
import type { BodyOf } from '../../contract/operation.js';
import type { createRole as operation, ResourceType } from '../../contract/roles.js';
import { findUser } from './find-user.js';
import type { ListPage, PageTools } from './list-page.js';
import { withName } from './people-messages.js';

type PolicyInput = NonNullable<BodyOf<typeof operation>>['policies'][number];

const tiers = ['AIBIView', 'AIBIExplore', 'AIBIDevelop'] as const;
/**
 * Types whose policies have effects, except Global, whose tiers have a separate field. The type makes the compiler
 * check that none is missing.
 */
const types: Readonly<Record<Exclude<ResourceType, 'Global' | 'ReportFolder'>, true>> = {
  Deployment: true,
  Workbook: true,
  Report: true,
  Folder: true,
  Dashboard: true,
  Agent: true,
  AgentSpace: true,
  ChatThread: true,
};

/** Returns the page with the custom roles and their policies, and the pages with the users that have a role. */
export function rolesPage(tools: PageTools): ListPage {
  const { call, messages } = tools;
  const choices = (values: readonly string[]) => async () => [
    { value: '', label: messages.none },
    ...values.map(value => ({ value, label: value })),
  ];
  return {
    id: 'roles',
    title: messages.roles,
    searchLabel: messages.search,
    columns: [messages.name, messages.policies],
    create: {
      label: messages.newRole,
      button: messages.create,
      fields: [
        { name: 'name', label: messages.name },
        { name: 'tier', label: messages.tier, options: choices(tiers) },
        { name: 'type', label: messages.resourceType, options: choices(Object.keys(types)) },
        { name: 'actions', label: messages.policyActions, isOptional: true },
        { name: 'resources', label: messages.resources, isOptional: true },
      ],
      async run({ name = '', ...policy }) {
        await call(connection => createRole(connection, { name, policies: readPolicies(policy) }));
        return null;
      },
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listRoles(connection, request, { signal }));
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
        links: [{ label: messages.users, href: `#roles/${id}` }],
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
    detail: ([id]) => (/^\d+$/.test(id ?? '') ? roleUsersPage(tools, Number(id)) : null),
  };
}

/** Reads the policies of the form. The platform validates the names of actions. */
function readPolicies(values: Readonly<Record<string, string>>): PolicyInput[] {
  const { tier, type, actions = '', resources = '' } = values;
  const list = (text: string) => text.split(',').flatMap(part => part.trim() || []);
  const ids = list(resources);
  return [
    ...(tier ? [{ resourceType: 'Global', actions: [tier], resources: ['All'] }] : []),
    ...(type ? [{ resourceType: type, actions: list(actions), resources: ids.length > 0 ? ids : ['All'] }] : []),
  ] as PolicyInput[];
}

function roleUsersPage(tools: PageTools, roleId: number): ListPage {
  const { call, messages } = tools;
  const name = async () => (await call(connection => getRole(connection, roleId))).name;
  return {
    id: `roles/${roleId}`,
    title: messages.users,
    name,
    searchLabel: messages.search,
    columns: [messages.name, messages.email, messages.status],
    create: {
      label: messages.assignRole,
      button: messages.add,
      fields: [{ name: 'user', label: messages.nameOrEmail }],
      async run({ user = '' }) {
        const userId = await findUser(tools, user);
        await call(connection => assignRoleToUser(connection, { roleId, userId }));
        return null;
      },
    },
    async load(request, signal) {
      const role = await name();
      const { items, pageInfo } = await call(connection => listUsers(connection, { ...request, role }, { signal }));
      const rows = items.map(({ id, username, firstName, email, isDeactivated }) => ({
        id: String(id),
        name: firstName || username,
        cells: [firstName || username, email, isDeactivated ? messages.deactivated : messages.active],
        actions: [
          {
            label: messages.remove,
            question: withName(messages.confirmRemoveRole, firstName || username),
            run: () => call(connection => removeRoleFromUser(connection, { roleId, userId: id })),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
  };
}
