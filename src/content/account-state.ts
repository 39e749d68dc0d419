import { listRoles } from '../client/operations/account.js';
import { listAccountGroups } from '../client/operations/account-groups.js';
import { listManagedContent } from '../client/operations/content-batches.js';
import { listEnvVariables } from '../client/operations/environments.js';
import { listNotificationRecipients, listNotifications } from '../client/operations/notifications.js';
import { eachItem } from '../client/operations/pagination.js';
import type { AccountGroup } from '../contract/account-groups.js';
import type { ManagedObject } from '../contract/content-batches.js';
import type { NotificationRecipient } from '../contract/notification-recipients.js';
import type { Notification } from '../contract/notifications.js';
import type { Role } from '../contract/roles.js';
import type { Content } from './content.js';
import type { Target } from './deployment-state.js';

/** Notification with its recipients. */
export interface NotificationState {
  readonly notification: Notification;
  readonly recipients: readonly NotificationRecipient[];
}

/** Objects of a deployment and of its account, besides its workbooks, reports and folders. */
export interface AccountState {
  /** Custom roles by name. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Ids of roles by name, including built-in roles that a group has. */
  readonly roleIds: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, AccountGroup>;
  /** Values of environment variables by name; masked values are `maskedValue`. */
  readonly variables: ReadonlyMap<string, string>;
  /** Notifications by name. Excludes the subscriptions of viewers. */
  readonly notifications: ReadonlyMap<string, NotificationState>;
  /** Number of notifications without a name, which no file can name. */
  readonly unnamedNotifications: number;
  /** Objects that content files created or adopted. */
  readonly managed: readonly ManagedObject[];
}

const nothing: AccountState = {
  roles: new Map(),
  roleIds: new Map(),
  groups: new Map(),
  variables: new Map(),
  notifications: new Map(),
  unnamedNotifications: 0,
  managed: [],
};

/** Reads the objects that a plan for the files needs, without those of kinds that the files do not contain. */
export async function readAccountFor(content: Content, target: Target): Promise<AccountState> {
  const { roles, groups, variables, notifications } = content;
  return {
    ...nothing,
    ...(roles.size + groups.size > 0 && (await readRoles(target))),
    ...(variables.size > 0 && { variables: await readVariables(target) }),
    ...(notifications.size > 0 && (await readNotifications(target))),
  };
}

/** Reads all objects. */
export async function readAccount(target: Target): Promise<AccountState> {
  return {
    ...(await readRoles(target)),
    variables: await readVariables(target),
    ...(await readNotifications(target)),
    managed: await readManaged(target),
  };
}

async function readRoles({ connection, signal }: Target): Promise<Pick<AccountState, 'roles' | 'roleIds' | 'groups'>> {
  const roles = new Map<string, Role>();
  for await (const role of eachItem(page => listRoles(connection, page, { signal }), { signal }))
    roles.set(role.name, role);
  const groups = new Map<string, AccountGroup>();
  for await (const group of eachItem(page => listAccountGroups(connection, page, { signal }), { signal }))
    groups.set(group.name, group);
  const given = [...groups.values()].flatMap(({ role }) => role ?? []);
  const roleIds = new Map([...given, ...roles.values()].map(({ name, id }) => [name, id]));
  return { roles, roleIds, groups };
}

async function readVariables({ connection, deploymentId, signal }: Target): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const pages = eachItem(
    async page => {
      const { items, pageInfo } = await listEnvVariables(connection, deploymentId, page, { signal });
      return { items, pageInfo: pageInfo ?? { hasNextPage: false, hasPreviousPage: false } };
    },
    { signal },
  );
  for await (const { name, value } of pages) found.set(name, value);
  return found;
}

async function readNotifications(
  target: Target,
): Promise<Pick<AccountState, 'notifications' | 'unnamedNotifications'>> {
  const { connection, deploymentId, signal } = target;
  const notifications = new Map<string, NotificationState>();
  let unnamedNotifications = 0;
  const pages = eachItem(page => listNotifications(connection, deploymentId, page, { signal }), { signal });
  for await (const notification of pages) {
    const { id, name, subscriberId } = notification;
    if (subscriberId != null) continue;
    if (name == null) {
      unnamedNotifications += 1;
      continue;
    }
    const recipients: NotificationRecipient[] = [];
    const listed = eachItem(page => listNotificationRecipients(connection, { deploymentId, id }, page, { signal }), {
      signal,
    });
    for await (const recipient of listed) recipients.push(recipient);
    notifications.set(name, { notification, recipients });
  }
  return { notifications, unnamedNotifications };
}

async function readManaged({ connection, deploymentId, signal }: Target): Promise<ManagedObject[]> {
  const found: ManagedObject[] = [];
  const pages = eachItem(page => listManagedContent(connection, deploymentId, page, { signal }), { signal });
  for await (const object of pages) found.push(object);
  return found;
}
