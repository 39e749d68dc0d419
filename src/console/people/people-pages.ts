import { listAuditLog } from '../../client/operations/account.js';
import { apiKeysPage } from './api-keys-page.js';
import { contentPage } from './content-page.js';
import { groupsPage } from './groups-page.js';
import type { ListPage, PageTools } from './list-page.js';
import type { Call } from './people-api.js';
import type { PageLanguage } from './people-messages.js';
import { queryLogPage } from './query-log-page.js';
import { rolesPage } from './roles-page.js';
import { scimKeysPage } from './scim-keys-page.js';
import { settingsPage } from './settings-page.js';
import { tenantsPage } from './tenants-page.js';
import { usersPage } from './users-page.js';
import { variablesPage } from './variables-page.js';

/** Returns the pages for administrators. */
export function peoplePages(call: Call, { language, messages }: PageLanguage): readonly ListPage[] {
  const format = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short' });
  const time: PageTools['time'] = text => (text ? format.format(new Date(text)) : messages.never);
  const tools = { call, messages, time };
  return [
    usersPage(tools),
    groupsPage(tools),
    rolesPage(tools),
    apiKeysPage(tools),
    scimKeysPage(tools),
    tenantsPage(tools),
    contentPage(tools),
    variablesPage(tools),
    settingsPage(tools),
    queryLogPage(tools),
    auditLogPage(tools),
  ];
}

function auditLogPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'audit-log',
    title: messages.auditLog,
    searchLabel: messages.searchOperation,
    columns: [messages.time, messages.operation, messages.credential, messages.user, messages.target],
    create: null,
    async load({ search, ...page }, signal) {
      const query = { ...page, ...(search && { operation: search }) };
      const { items, pageInfo } = await call(connection => listAuditLog(connection, query, { signal }));
      const rows = items.map(({ id, at, operation, principal, userId, target }) => ({
        id: String(id),
        name: operation,
        cells: [time(at), operation, principal, userId ? String(userId) : '', describe(target)],
        actions: [],
      }));
      return { items: rows, pageInfo };
    },
  };
}

function describe(target: Readonly<Record<string, unknown>>): string {
  return Object.entries(target)
    .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
