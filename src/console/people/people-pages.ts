import { listApiKeys, listAuditLog, revokeApiKey } from '../../client/operations/account.js';
import { createAccountGroup, deleteAccountGroup, listAccountGroups } from '../../client/operations/account-groups.js';
import type { Page } from '../../client/operations/pagination.js';
import { endUserSessions } from '../../client/operations/sign-in.js';
import { listUsers, updateUser } from '../../client/operations/users.js';
import type { Call } from './people-api.js';
import { type PageLanguage, withName } from './people-messages.js';

/** An action on a row. */
export interface RowAction {
  readonly label: string;
  /** Question before the action; `null` for none. */
  readonly question: string | null;
  run(): Promise<unknown>;
}

/** A row of a list. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly string[];
  readonly actions: readonly RowAction[];
}

/** The part of a list that is requested. */
export interface ListRequest {
  readonly first: number;
  readonly after?: string;
  /** Text of the search field; omitted if it is empty. */
  readonly search?: string;
}

/** A page with one list. */
export interface ListPage {
  readonly id: string;
  readonly title: string;
  /** Label of the search field; `null` if the list has none. */
  readonly searchLabel: string | null;
  readonly columns: readonly string[];
  load(request: ListRequest, signal: AbortSignal): Promise<Page<Row>>;
  /** Creates an item from its name; `null` if the page creates none. */
  readonly create: { readonly label: string; run(name: string): Promise<unknown> } | null;
}

/** What the pages share. */
interface PageTools {
  readonly call: Call;
  readonly messages: PageLanguage['messages'];
  /** Formats a time; "never" if there is none. */
  readonly time: (text: string | null | undefined) => string;
}

/** Returns the pages for administrators. */
export function peoplePages(call: Call, { language, messages }: PageLanguage): readonly ListPage[] {
  const format = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short' });
  const time: PageTools['time'] = text => (text ? format.format(new Date(text)) : messages.never);
  const tools = { call, messages, time };
  return [usersPage(tools), groupsPage(tools), apiKeysPage(tools), auditLogPage(tools)];
}

function usersPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'users',
    title: messages.users,
    searchLabel: messages.search,
    columns: [messages.name, messages.email, messages.roles, messages.status, messages.lastSignIn],
    create: null,
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listUsers(connection, request, { signal }));
      return { items: items.map(show), pageInfo };
      function show(user: (typeof items)[number]): Row {
        const { id, email, username } = user;
        const name = user.firstName || username;
        const isDeactivated = user.isDeactivated === true;
        const roles = [...(user.isAdmin ? [messages.administrator] : []), ...(user.defaultRoles ?? [])];
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
        return { id: String(id), name, cells: [name, email, roles.join(', '), status, time(user.lastLogin)], actions };
      }
    },
  };
}

function groupsPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'groups',
    title: messages.groups,
    searchLabel: messages.search,
    columns: [messages.name, messages.role, messages.members, messages.created],
    create: {
      label: messages.newGroup,
      run: name => call(connection => createAccountGroup(connection, { name })),
    },
    async load(request, signal) {
      const { items, pageInfo } = await call(connection => listAccountGroups(connection, request, { signal }));
      const rows = items.map(({ id, name, role, userCount, createdAt }) => ({
        id: String(id),
        name,
        cells: [name, role?.name ?? '', String(userCount), time(createdAt)],
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
  };
}

function apiKeysPage({ call, messages, time }: PageTools): ListPage {
  return {
    id: 'api-keys',
    title: messages.apiKeys,
    searchLabel: null,
    columns: [messages.name, messages.user, messages.role, messages.created, messages.lastUsed, messages.expires],
    create: null,
    async load({ first, after }, signal) {
      const page = { first, ...(after !== undefined && { after }) };
      const { items, pageInfo } = await call(connection => listApiKeys(connection, page, { signal }));
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
