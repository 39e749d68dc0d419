import { isDeepStrictEqual } from 'node:util';
import type {
  GroupFile,
  NotificationFile,
  PolicyResource,
  RecipientFile,
  RoleFile,
} from '../contract/content-files.js';
import { maskedValue } from '../contract/env-variables.js';
import type { ResourceType } from '../contract/roles.js';
import type { AccountState, NotificationState } from './account-state.js';
import { type Content, ContentError, type ContentProblem, eachFolder, folderKey, type Located } from './content.js';
import type { DeploymentState } from './deployment-state.js';
import {
  describeGroup,
  describeNotification,
  describeRole,
  type NamedRecipient,
  nameRecipients,
  nameResource,
  type ResourceNames,
  recipientKey,
  withDefaults,
} from './describe-account.js';
import { withoutGaps } from './describe-state.js';
import { Action, compare, type Step } from './plan-step.js';

/** Prefix of the environment variables with values for content files. Files cannot name any other variable. */
const prefix = 'PA_VAR_';

/** Environment of the process that applies the files. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Source<T> = { readonly source: Located<T> };

/**
 * Step that changes a notification: its new values, the recipients to add (with the URLs of webhooks), and the
 * recipients to remove.
 */
export interface NotificationStep extends Step<'notification', NotificationFile>, Source<NotificationFile> {
  readonly added: readonly RecipientFile[];
  readonly removed: NotificationState['recipients'];
}

/** Steps for the objects of the account and for variables and notifications. */
export interface AccountPlan {
  readonly variables: readonly (Step<'variable', { readonly value: string }> & Source<string>)[];
  readonly roles: readonly (Step<'role', RoleFile> & Source<RoleFile>)[];
  readonly groups: readonly (Step<'group', GroupFile> & Source<GroupFile>)[];
  readonly notifications: readonly NotificationStep[];
}

/** The stored state that the steps are compared with. */
export interface AccountContext {
  readonly state: DeploymentState;
  readonly account: AccountState;
  readonly names: ResourceNames;
  readonly environment: Environment;
}

/**
 * Plans the changes to roles, groups, variables and notifications.
 * @throws ContentError if the files refer to objects that neither they nor the deployment contain, or to values that
 * the environment does not contain.
 */
export function planAccount(content: Content, context: AccountContext): AccountPlan {
  const { account, names } = context;
  const problems = [
    ...[...content.roles.values()].flatMap(role => resourceProblems(role, content, context)),
    ...[...content.groups.values()].flatMap(group => roleProblems(group, content, account)),
    ...[...content.variables.values()].flatMap(variable => valueProblems(variable, context)),
    ...[...content.notifications].flatMap(([name, file]) => notificationProblems(name, file, content, context)),
  ];
  if (problems.length > 0) throw new ContentError(problems);
  return {
    variables: [...content.variables.values()].map(variable => planVariable(variable, context)),
    roles: [...content.roles].map(([name, source]) => {
      const found = account.roles.get(name);
      const compared = compare(found && describeRole(found, names), canonicalRole(source.content, names));
      return { kind: 'role', name, source, ...compared };
    }),
    groups: [...content.groups].map(([name, source]) => {
      const group = account.groups.get(name);
      const found = group && describeGroup(group);
      return { kind: 'group', name, source, ...compare(found, withoutEmpty(source.content, found)) };
    }),
    notifications: [...content.notifications].map(([name, source]) => planNotification(name, source, context)),
  };
}

/** Replaces the ids of resources that have a name, as in a description of the stored role. */
function canonicalRole({ policies, ...role }: RoleFile, names: ResourceNames): RoleFile {
  const named = policies?.map(({ actions, effect, resourceType, resources }) => ({
    actions,
    ...(effect !== undefined && { effect }),
    resourceType,
    resources: resources.map(resource => nameResource(resourceType, resource, names)),
  }));
  return { ...role, ...(named && { policies: named }) };
}

/** Omits empty strings, which clear a field, if the field is not set. */
function withoutEmpty<T extends object>(desired: T, found: T | undefined): T {
  const kept = Object.entries(desired).filter(([key, value]) => value !== '' || Object(found)[key] !== undefined);
  return Object.fromEntries(kept) as T;
}

function planVariable(
  source: Located<string>,
  { account, environment }: AccountContext,
): AccountPlan['variables'][number] {
  const name = source.content;
  const step = { kind: 'variable', name, source } as const;
  const found = account.variables.get(name);
  const value = environment[prefix + name];
  if (value === undefined || value === found)
    return { ...step, action: Action.keep, differences: [], change: { value: '' } };
  const isMasked = found === maskedValue;
  const differences = isMasked ? ['value: sent, because a masked value cannot be compared'] : ['value: changed'];
  if (found === undefined) return { ...step, action: Action.create, differences: [], change: { value } };
  return { ...step, action: Action.change, differences, change: { value } };
}

function valueProblems({ content: name, problem }: Located<string>, { account, environment }: AccountContext) {
  const isKnown = environment[prefix + name] !== undefined || account.variables.has(name);
  return isKnown ? [] : [problem([], `${name}: set the environment variable ${prefix}${name} to its value`)];
}

function roleProblems({ content, problem }: Located<GroupFile>, { roles }: Content, { roleIds }: AccountState) {
  const { role = '' } = content;
  if (role === '' || roles.has(role) || roleIds.has(role)) return [];
  return [problem(['role'], `role: roles.yml and the platform have no custom role named ${role}`)];
}

function resourceProblems(
  { content: role, problem }: Located<RoleFile>,
  content: Content,
  { state, names }: AccountContext,
): ContentProblem[] {
  const folders = new Set(eachFolder(content.folders?.content ?? []).map(([path]) => folderKey(path)));
  const hasName = (type: ResourceType, name: string | readonly string[]): boolean => {
    if (typeof name !== 'string')
      return isFolder(type) && (folders.has(folderKey(name)) || state.folders.has(folderKey(name)));
    switch (type) {
      case 'Deployment':
        return name === 'this';
      case 'Report':
        return content.reports.has(name) || state.reports.has(name);
      case 'Workbook':
        return content.workbooks.has(name) || state.workbooks.has(name);
      case 'Dashboard':
        return isPublished(name, content, names);
      default:
        return false;
    }
  };
  return (role.policies ?? []).flatMap(({ resourceType, resources }, policy) =>
    resources.flatMap((resource, index) => {
      if (isFree(resourceType, resource) || hasName(resourceType, resource as string)) return [];
      const path = ['policies', policy, 'resources', index];
      return [
        problem(path, `${path.join('.')}: the files and the platform have no ${resourceType} ${nameText(resource)}`),
      ];
    }),
  );
}

/** True for resources that are not names. */
function isFree(type: ResourceType, resource: PolicyResource): boolean {
  const isNamed = ['Deployment', 'Report', 'Workbook', 'Dashboard'].includes(type) || isFolder(type);
  return resource === 'All' || typeof resource === 'number' || (!isNamed && typeof resource === 'string');
}

function isFolder(type: ResourceType): boolean {
  return type === 'Folder' || type === 'ReportFolder';
}

function nameText(resource: PolicyResource): string {
  return Array.isArray(resource) ? resource.join(' / ') : String(resource);
}

function isPublished(slug: string, content: Content, { dashboards }: ResourceNames): boolean {
  return content.workbooks.get(slug)?.content.publish !== undefined || [...dashboards.values()].includes(slug);
}

function notificationProblems(
  name: string,
  { content: file, problem }: Located<NotificationFile>,
  content: Content,
  { account, names, environment }: AccountContext,
): ContentProblem[] {
  const found = account.notifications.get(name);
  const stored = found && describeNotification(found, names);
  const { dashboard, schedule, recipients = [] } = file;
  const problems: ContentProblem[] = [];
  if (!isPublished(dashboard, content, names))
    problems.push(
      problem(['dashboard'], `dashboard: no file or workbook with the slug ${dashboard} publishes a dashboard`),
    );
  else if (stored && stored.dashboard !== dashboard)
    problems.push(
      problem(['dashboard'], 'dashboard: cannot be changed; rename the file to create another notification'),
    );
  if (!stored && schedule === undefined) problems.push(problem([], 'schedule: is required for a new notification'));
  const keys = recipients.map(recipientKey);
  for (const [index, recipient] of recipients.entries()) {
    const { type, email, url } = recipient;
    const path = ['recipients', index];
    if (keys.indexOf(keys[index] ?? '') !== index) problems.push(problem(path, `recipients.${index}: is listed twice`));
    if (type === 'USER' && email === undefined) problems.push(problem(path, `recipients.${index}: email is required`));
    if (type !== 'WEBHOOK') continue;
    if (url === undefined) problems.push(problem(path, `recipients.${index}: url is required`));
    else if (urlOf(recipient, environment) === undefined && !stored?.recipients?.some(each => each.url === url))
      problems.push(
        problem([...path, 'url'], `url: set the environment variable ${prefix}${url.slice(2, -1)} to the URL`),
      );
  }
  return problems;
}

/** Returns the URL that a reference, such as `${SALES_WEBHOOK}`, is replaced with. */
function urlOf({ url }: RecipientFile, environment: Environment): string | undefined {
  return url === undefined ? undefined : environment[prefix + url.slice(2, -1)];
}

function planNotification(
  name: string,
  source: Located<NotificationFile>,
  { account, names, environment }: AccountContext,
): NotificationStep {
  const { recipients, ...desired } = source.content;
  const found = account.notifications.get(name);
  const { recipients: _recipients, ...before } = found ? describeNotification(found, names) : { dashboard: '' };
  const compared = compare<NotificationFile>(found && withDefaults(before), desired);
  const step = { kind: 'notification', name, source, ...compared } as const;
  if (recipients === undefined) return { ...step, added: [], removed: [] };
  const { added, removed } = compareRecipients(recipients, nameRecipients(name, found?.recipients ?? []), environment);
  if (found === undefined || added.length + removed.length === 0) return { ...step, added, removed };
  const differences = [
    ...compared.differences,
    ...(added.length > 0 ? [`recipients: ${added.length} added or changed`] : []),
    ...(removed.length > 0 ? [`recipients: ${removed.length} removed`] : []),
  ];
  return { ...step, action: Action.change, differences, added, removed };
}

/** Returns the recipients to remove, and after that to add or to change. */
function compareRecipients(
  desired: readonly RecipientFile[],
  stored: readonly NamedRecipient[],
  environment: Environment,
): Pick<NotificationStep, 'added' | 'removed'> {
  const byKey = new Map(stored.map(recipient => [recipientKey(recipient.file), recipient]));
  const isStored = (recipient: RecipientFile): boolean => {
    const found = byKey.get(recipientKey(recipient));
    return found !== undefined && isSameRecipient(recipient, found, environment);
  };
  const added = desired.filter(each => !isStored(each)).map(each => withUrl(each, environment));
  const keys = new Set(desired.map(recipientKey));
  const isGone = ({ file, recipient }: NamedRecipient): boolean =>
    !keys.has(recipientKey(file)) ||
    // The environment variable of the webhook now contains a different URL.
    (file.type === 'WEBHOOK' && urlOf(file, environment) !== undefined && urlOf(file, environment) !== recipient.url);
  return { added, removed: stored.filter(isGone).map(({ recipient }) => recipient) };
}

function isSameRecipient(
  desired: RecipientFile,
  { file, recipient }: NamedRecipient,
  environment: Environment,
): boolean {
  const { email, ...rest } = file;
  const compared = desired.email === undefined ? rest : { ...rest, email };
  const url = urlOf(desired, environment);
  return isDeepStrictEqual(withoutGaps(compared), withoutGaps(desired)) && (url === undefined || url === recipient.url);
}

/** Replaces the reference of a webhook by its URL. The platform stores the name of the reference as channel name. */
function withUrl(recipient: RecipientFile, environment: Environment): RecipientFile {
  const { url, channelName } = recipient;
  if (url === undefined) return recipient;
  return { ...recipient, channelName: channelName ?? url.slice(2, -1), url: urlOf(recipient, environment) };
}
