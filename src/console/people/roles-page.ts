import {
  assignRoleToUser,
  createRole,
  deleteRole,
  getRole,
  listRoles,
  removeRoleFromUser,
  updateRole,
} from '../../client/operations/account.js';
import { listUsers } from '../../client/operations/users.js';
import type { BodyOf } from '../../contract/operation.js';
import type { createRole as operation, Policy, ResourceType } from '../../contract/roles.js';
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

/** Returns the page with the custom roles, and the pages with the policies and the users of a role. */
export function rolesPage(tools: PageTools): ListPage {
  const { call, messages } = tools;
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
        { name: 'tier', label: messages.tier, options: choicesOf(['', ...tiers], messages) },
        { name: 'type', label: messages.resourceType, options: choicesOf(['', ...Object.keys(types)], messages) },
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
        cells: [name, policies.map(policy => describePolicy(policy)).join('; ')],
        links: [
          { label: messages.users, href: `#roles/${id}` },
          { label: messages.policies, href: `#roles/${id}/policies` },
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
    detail([id = '', part]) {
      if (!/^\d+$/.test(id)) return null;
      return part === 'policies' ? rolePoliciesPage(tools, Number(id)) : roleUsersPage(tools, Number(id));
    },
  };
}

const choicesOf = (values: readonly string[], { none }: PageTools['messages']) => {
  const choices = values.map(value => ({ value, label: value || none }));
  return async () => choices;
};

function describePolicy({ resourceType, resources, actions, effect }: Policy): string {
  const text = `${resourceType} ${resources.join(', ')}: ${actions.join(', ')}`;
  return effect === 'deny' ? `${text} (deny)` : text;
}

function rolePoliciesPage({ call, messages }: PageTools, roleId: number): ListPage {
  const read = () => call(connection => getRole(connection, roleId));
  /** Changes the policies that the role has now, because another administrator may have changed them. */
  const change = async (changed: (policies: readonly Policy[]) => readonly Policy[]) => {
    const policies = changed((await read()).policies).map(({ resourceType, actions, resources, effect }) => {
      return { resourceType, actions, resources, ...(effect && { effect }) };
    });
    // The platform accepts the values that it has returned.
    await call(connection => updateRole(connection, roleId, { policies: policies as PolicyInput[] }));
  };
  return {
    id: `roles/${roleId}/policies`,
    title: messages.policies,
    name: async () => (await read()).name,
    searchLabel: null,
    columns: [messages.resourceType, messages.resources, messages.policyActions, messages.effect],
    create: {
      label: messages.newPolicy,
      button: messages.add,
      fields: [
        { name: 'type', label: messages.resourceType, options: choicesOf([...Object.keys(types), 'Global'], messages) },
        { name: 'actions', label: messages.policyActions },
        { name: 'resources', label: messages.resources, isOptional: true },
        { name: 'effect', label: messages.effect, options: choicesOf(['allow', 'deny'], messages) },
      ],
      async run({ effect, ...values }) {
        const added = readPolicies(values).map(policy => (effect === 'deny' ? { ...policy, effect } : policy));
        await change(policies => [...policies, ...added]);
        return null;
      },
    },
    async load() {
      const { policies } = await read();
      const items = policies.map((policy, index) => {
        const name = describePolicy(policy);
        const { resourceType, resources, actions, effect } = policy;
        return {
          id: `${index} ${name}`,
          name,
          cells: [resourceType, resources.join(', '), actions.join(', '), effect ?? 'allow'],
          actions: [
            {
              label: messages.remove,
              question: withName(messages.confirmRemovePolicy, name),
              run: () => change(current => withoutPolicy(current, name)),
            },
          ],
        };
      });
      return { items, pageInfo: { hasNextPage: false, hasPreviousPage: false } };
    },
  };
}

/** Removes the first policy with this description. */
function withoutPolicy(policies: readonly Policy[], description: string): readonly Policy[] {
  const index = policies.findIndex(policy => describePolicy(policy) === description);
  return policies.filter((_, each) => each !== index);
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
