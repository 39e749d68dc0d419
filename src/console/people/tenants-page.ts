import {
  deleteEmbedTenant,
  listEmbedTenants,
  listEmbedTenantWorkbooks,
  listEmbedUserSessions,
  listEmbedUsers,
  revokeEmbedUserSessions,
} from '../../client/operations/embed-tenants.js';
import { firstDeployment } from './first-deployment.js';
import type { ListPage, PageTools } from './list-page.js';
import { withName } from './people-messages.js';

/** Returns the page with the embed tenants, their users and the dashboards that are shared with them. */
export function tenantsPage(tools: PageTools): ListPage {
  const { call, messages, time } = tools;
  return {
    id: 'tenants',
    title: messages.tenants,
    searchLabel: messages.search,
    columns: [messages.name, messages.users, messages.created],
    create: null,
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listEmbedTenants(connection, request, { signal }));
      const rows = items.map(({ name, displayName, userCount, createdAt }) => ({
        id: name,
        name,
        cells: [
          displayName && displayName !== name ? `${displayName} (${name})` : name,
          String(userCount),
          time(createdAt),
        ],
        links: [
          { label: messages.users, href: `#tenants/${encodeURIComponent(name)}/users` },
          { label: messages.sessions, href: `#tenants/${encodeURIComponent(name)}/sessions` },
          { label: messages.dashboards, href: `#tenants/${encodeURIComponent(name)}/dashboards` },
        ],
        actions: [
          {
            label: messages.endSessions,
            question: withName(messages.confirmEndSessions, name),
            run: () => call(connection => revokeEmbedUserSessions(connection, { embedTenantName: name }, {})),
          },
          {
            label: messages.delete,
            question: withName(messages.confirmDeleteTenant, name),
            run: () => call(connection => deleteEmbedTenant(connection, name)),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
    detail([tenant = '', list]) {
      if (tenant === '') return null;
      if (list === 'users') return tenantUsersPage(tools, tenant);
      if (list === 'sessions') return tenantSessionsPage(tools, tenant);
      return list === 'dashboards' ? tenantDashboardsPage(tools, tenant) : null;
    },
  };
}

function tenantUsersPage({ call, messages, time }: PageTools, embedTenantName: string): ListPage {
  return {
    id: `tenants/${embedTenantName}/users`,
    title: messages.users,
    name: async () => embedTenantName,
    searchLabel: messages.search,
    columns: [messages.name, messages.email, messages.created, messages.lastSession],
    create: null,
    async load(request, signal) {
      const { items, pageInfo } = await call(connection =>
        listEmbedUsers(connection, { embedTenantName }, request, { signal }),
      );
      const rows = items.map(({ id, username, firstName, email, createdAt, lastLogin }) => ({
        id: String(id),
        name: username,
        cells: [firstName ? `${firstName} (${username})` : username, email ?? '', time(createdAt), time(lastLogin)],
        actions: [
          {
            label: messages.endSessions,
            question: withName(messages.confirmEndSessions, firstName || username),
            run: () => call(connection => revokeEmbedUserSessions(connection, { embedTenantName }, { userId: id })),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
  };
}

function tenantSessionsPage({ call, messages, time }: PageTools, embedTenantName: string): ListPage {
  return {
    id: `tenants/${embedTenantName}/sessions`,
    title: messages.sessions,
    name: async () => embedTenantName,
    searchLabel: messages.search,
    columns: [messages.user, messages.email, messages.started],
    create: null,
    async load(request, signal) {
      const { items, pageInfo } = await call(connection =>
        listEmbedUserSessions(connection, { embedTenantName }, request, { signal }),
      );
      const rows = items.map(({ id, username, email, startedAt }) => ({
        id,
        name: username,
        cells: [username, email ?? '', time(startedAt)],
        actions: [
          {
            label: messages.revoke,
            question: withName(messages.confirmEndSession, username),
            run: () => call(connection => revokeEmbedUserSessions(connection, { embedTenantName }, { id })),
          },
        ],
      }));
      return { items: rows, pageInfo };
    },
  };
}

function tenantDashboardsPage(tools: PageTools, embedTenantName: string): ListPage {
  const { call, messages, time } = tools;
  return {
    id: `tenants/${embedTenantName}/dashboards`,
    title: messages.dashboards,
    name: async () => embedTenantName,
    searchLabel: messages.search,
    columns: [messages.name, messages.created],
    create: null,
    async load(request, signal) {
      const deploymentId = await firstDeployment(tools, signal);
      const { items, pageInfo } = await call(connection =>
        listEmbedTenantWorkbooks(connection, { deploymentId, embedTenantName }, request, { signal }),
      );
      const rows = items.map(({ id, name, createdAt }) => ({
        id: String(id),
        name,
        cells: [name, time(createdAt)],
        actions: [],
      }));
      return { items: rows, pageInfo };
    },
  };
}
