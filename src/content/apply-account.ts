import * as groups from '../contract/account-groups.js';
import type { PolicyResource, RecipientFile } from '../contract/content-files.js';
import { deleteEnvVariable, setEnvVariables } from '../contract/env-variables.js';
import { deleteFolder } from '../contract/folders.js';
import {
  addRecipients,
  type NotificationRecipient,
  type RemovedRecipient,
  recipientTypes,
  removeRecipients,
} from '../contract/notification-recipients.js';
import * as notifications from '../contract/notifications.js';
import { deleteReport } from '../contract/reports.js';
import * as roles from '../contract/roles.js';
import { deleteWorkbook } from '../contract/workbooks.js';
import type { AccountState } from './account-state.js';
import type { ContentBatch } from './batch.js';
import { folderKey } from './content.js';
import type { AccountPlan, NotificationStep } from './plan-account.js';
import type { Removal } from './plan-removals.js';
import { Action } from './plan-step.js';

/** Ids of the objects that policies and notifications refer to. */
interface ContentIds {
  idOf(kind: 'folder' | 'report' | 'workbook', name: string): number;
  /** Ids of the dashboards that are published, by slug. */
  readonly publications: ReadonlyMap<string, number>;
}

/** Objects that exist before the steps. */
interface KnownObjects {
  readonly account: AccountState;
  /** Ids of published dashboards by the slugs of their workbooks. */
  readonly dashboardIds: ReadonlyMap<string, number>;
}

/** Adds the creation, update and removal of roles, groups, variables and notifications to a batch. */
export class AccountRunner {
  readonly #batch: ContentBatch;
  readonly #account: AccountState;
  readonly #dashboardIds: ReadonlyMap<string, number>;
  readonly #deploymentId: number;
  readonly #ids: ContentIds;
  readonly #roles: Map<string, number>;

  constructor(batch: ContentBatch, { account, dashboardIds }: KnownObjects, deploymentId: number, ids: ContentIds) {
    this.#batch = batch;
    this.#account = account;
    this.#dashboardIds = dashboardIds;
    this.#deploymentId = deploymentId;
    this.#ids = ids;
    this.#roles = new Map(account.roleIds);
  }

  writeVariable({ name, action, change, source }: AccountPlan['variables'][number]): void {
    const body = { env_variables: [{ name, value: change.value }] };
    const creates = action === Action.create ? 'variable' : undefined;
    this.#batch.add(setEnvVariables, { body, source, creates });
  }

  writeRole({ name, action, change, source }: AccountPlan['roles'][number]): void {
    const { description } = change;
    const policies = change.policies?.map(({ actions, effect, resourceType, resources }) => ({
      actions,
      effect,
      resourceType,
      resources: resources.map(resource => this.#resourceId(resourceType, resource)),
    }));
    if (action === Action.create) {
      const body = { name, description, policies: policies ?? [] };
      this.#roles.set(name, this.#batch.add(roles.createRole, { body, source, creates: 'role' }));
      return;
    }
    const params = { roleId: this.#roleId(name) };
    this.#batch.add(roles.updateRole, { params, body: { description, policies }, source });
  }

  writeGroup({ name, action, change, source }: AccountPlan['groups'][number]): void {
    const { description, role } = change;
    const roleId = role === undefined || role === '' ? null : this.#roleId(role);
    const fields = { description, ...(role !== undefined && { roleId }) };
    if (action === Action.create) {
      this.#batch.add(groups.createAccountGroup, { body: { name, ...fields }, source, creates: 'group' });
      return;
    }
    const params = { id: this.#account.groups.get(name)?.id ?? 0 };
    this.#batch.add(groups.updateAccountGroup, { params, body: fields, source });
  }

  writeNotification(step: NotificationStep): void {
    const { name, action, change, source, added, removed } = step;
    const { dashboard, schedule, isEnabled, recipients: _recipients, ...fields } = change;
    const timing = schedule === undefined ? {} : ({ scheduleType: 'CUSTOM', customCron: schedule } as const);
    let id = this.#account.notifications.get(name)?.notification.id ?? 0;
    if (action === Action.create) {
      const body = {
        name,
        dashboardId: this.#dashboardId(dashboard),
        scheduleType: 'CUSTOM',
        ...timing,
        ...fields,
      } as const;
      id = this.#batch.add(notifications.createNotification, { body, source, creates: 'notification' });
      if (isEnabled === false)
        this.#batch.add(notifications.updateNotification, { params: { id }, body: { isEnabled } });
    } else if (Object.keys(change).length > 0) {
      const body = { ...timing, ...fields, isEnabled };
      this.#batch.add(notifications.updateNotification, { params: { id }, body, source });
    }
    const gone = removed.flatMap(recipient => removedRecipient(recipient));
    if (gone.length > 0) this.#batch.add(removeRecipients, { params: { id }, body: { recipients: gone }, source });
    const recipients = added.map(inputOf);
    if (recipients.length > 0) this.#batch.add(addRecipients, { params: { id }, body: { recipients }, source });
  }

  /** Adds the removal of an object. */
  remove({ kind, name, id }: Removal): void {
    const known = id ?? 0;
    switch (kind) {
      case 'folder':
        this.#batch.add(deleteFolder, { params: { folderId: known } });
        return;
      case 'report':
        this.#batch.add(deleteReport, { params: { reportId: known } });
        return;
      case 'workbook':
        this.#batch.add(deleteWorkbook, { params: { workbookId: known } });
        return;
      case 'notification':
        this.#batch.add(notifications.deleteNotification, { params: { id: known } });
        return;
      case 'role':
        this.#batch.add(roles.deleteRole, { params: { roleId: known } });
        return;
      case 'group':
        this.#batch.add(groups.deleteAccountGroup, { params: { id: known } });
        return;
      case 'variable':
        this.#batch.add(deleteEnvVariable, { params: { name } });
    }
  }

  #roleId(name: string): number {
    const id = this.#roles.get(name);
    if (id === undefined) throw new Error(`The plan refers to the role ${name}, which does not exist.`);
    return id;
  }

  #dashboardId(slug: string): number {
    const id = this.#ids.publications.get(slug) ?? this.#dashboardIds.get(slug);
    if (id === undefined) throw new Error(`The plan refers to the dashboard of ${slug}, which does not exist.`);
    return id;
  }

  #resourceId(type: roles.ResourceType, resource: PolicyResource): string {
    if (Array.isArray(resource)) return String(this.#ids.idOf('folder', folderKey(resource)));
    if (resource === 'All' || typeof resource === 'number') return String(resource);
    switch (type) {
      case 'Deployment':
        return String(this.#deploymentId);
      case 'Report':
        return String(this.#ids.idOf('report', resource));
      case 'Workbook':
        return String(this.#ids.idOf('workbook', resource));
      case 'Dashboard':
        return String(this.#dashboardId(resource));
      default:
        return resource;
    }
  }
}

function inputOf({ userAttributes, ...recipient }: RecipientFile): RecipientFile {
  return { ...recipient, ...(userAttributes != null && { userAttributes }) };
}

function removedRecipient({
  type,
  userId,
  embedUserId,
  embedTenantName,
  channelId,
  url,
}: NotificationRecipient): RemovedRecipient[] {
  const known = recipientTypes.find(each => each === type);
  const id = known && { USER: userId, EMBED_USER: embedUserId, SLACK: channelId, WEBHOOK: url }[known];
  if (known === undefined || id == null) return [];
  return [{ type: known, id, ...(known === 'EMBED_USER' && embedTenantName != null && { embedTenantName }) }];
}
