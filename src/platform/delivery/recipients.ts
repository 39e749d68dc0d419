import type { Hono } from 'hono';
import { checkEmbedGrant } from '../../contract/embed-grant.js';
import { lowerAscii } from '../../contract/lower-ascii.js';
import {
  addRecipients,
  getRecipients,
  MailAddress,
  type NotificationRecipient,
  type NotificationRecipientInput,
  type RemovedRecipient,
  removeRecipients,
} from '../../contract/notification-recipients.js';
import type { Db } from '../db/database.js';
import { GroupKind } from '../db/schema.js';
import { applyEmbedUser } from '../embed/apply-grant.js';
import { findGroups } from '../embed/group-store.js';
import { ensureLockedTenant, type Tenant } from '../embed/tenant-store.js';
import { tooManyUsers } from '../embed/tenants.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { findAttributes, fitsType } from '../settings/user-attribute-store.js';
import {
  checkChannel,
  isChannel,
  removedChannel,
  resolveChannels,
  showChannel,
} from './channels/channel-recipients.js';
import { governedBy } from './channels/governed-by.js';
import { findNotification, lockNotification } from './notification-store.js';
import { requireNotification } from './notifications.js';
import * as store from './recipient-store.js';

/** Mounts the routes for the recipients of notifications (spec 2.8). */
export function mountNotificationRecipients(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getRecipients, deps, async ({ params, query, principal }) => {
    const { id } = await requireNotification(db, principal, params, findNotification);
    const { items, pageInfo } = await store.listRecipients(db, id, query);
    // Scripts of a host's page have the tokens of its sessions, and must not read the contexts of other tenants.
    const isVisible = principal.kind !== 'embed';
    const shown = items.map(recipient => ({ ...showRecipient(recipient), ...(isVisible && recipient.embed) }));
    return { items: shown, pageInfo };
  });

  write(app, addRecipients, deps, async ({ params, body, principal }, tx) => {
    const { id, deploymentId, subscriberId } = await requireNotification(tx, principal, params, lockNotification);
    if (subscriberId !== null) {
      throw new PlatformError(409, 'This notification is a subscription. Its recipients cannot be changed.');
    }
    const entries = body.recipients.map((input, index) => ({ input, where: `body.recipients.${index}` }));
    const [channels, people] = [entries.filter(isChannel), entries.filter(entry => !isChannel(entry))];
    for (const entry of people) checkEntry(entry, deploymentId);
    for (const entry of channels) checkChannel(entry, deploymentId, deps.channels);
    await checkRendering(tx, channels);
    const resolved = [...(await resolve(tx, people)), ...(await resolveChannels(tx, channels))];
    const added = await store.addRecipients(tx, id, resolved);
    const recipients = await store.findRecipients(
      tx,
      id,
      Object.values(added).flatMap(ids => [...ids]),
    );
    const showAll = (ids: readonly number[]) => ids.flatMap(recipient => showKnown(recipients.get(recipient)));
    return {
      createdRecipients: showAll(added.created),
      updatedRecipients: showAll(added.updated),
      unchangedRecipients: showAll(added.unchanged),
    };
  });

  write(app, removeRecipients, deps, async ({ params, body, principal }, tx) => {
    const { id } = await requireNotification(tx, principal, params, lockNotification);
    const of = (type: RemovedRecipient['type']) =>
      body.recipients
        .filter(each => each.type === type)
        .map(each => ({ userId: Number(each.id), embedTenantName: each.embedTenantName ?? null }))
        // Skip ids that are not numbers, which match no user.
        .filter(each => Number.isSafeInteger(each.userId));
    const consoleUserIds = of('USER').map(({ userId }) => userId);
    await store.removeRecipients(tx, id, consoleUserIds, of('EMBED_USER'));
    await store.removeChannels(tx, id, body.recipients.flatMap(removedChannel));
    return undefined;
  });
}

/** A recipient of the request and the path of its field, for error messages. */
export interface Entry {
  readonly input: NotificationRecipientInput;
  readonly where: string;
}

const embedFields = ['embedTenantName', 'externalId', 'groups', 'userAttributes', 'securityContext'] as const;
const channelFields = ['channelId', 'channelName', 'url'] as const;

/** Checks the constraints between the fields of a recipient. @throws PlatformError 400 */
export function checkEntry({ input, where }: Entry, deploymentId: number): void {
  const refuse = (field: string, message: string): never => {
    throw new PlatformError(400, `${where}.${field}: ${message}`);
  };
  if (isChannel({ input })) refuse('type', 'must be USER or EMBED_USER');
  const channelField = channelFields.find(name => input[name] != null);
  if (channelField) refuse(channelField, 'is supported only with type SLACK or WEBHOOK');
  if (input.type === 'USER') {
    const field = embedFields.find(name => input[name] != null);
    if (field) refuse(field, 'is supported only with type EMBED_USER');
    if ((input.userId == null) === (input.email == null)) refuse('userId', 'send either userId or email');
    return;
  }
  if (input.userId != null) refuse('userId', 'is supported only with type USER');
  if (input.embedTenantName == null) refuse('embedTenantName', 'is required with type EMBED_USER');
  if (input.externalId == null) refuse('externalId', 'is required with type EMBED_USER');
  const { embedTenantName, externalId, groups, userAttributes, securityContext } = input;
  // The fields for rendering follow the same rules as those of a session grant.
  const grant = { deploymentId, embedTenantName, externalId, groups, userAttributes, securityContext };
  const problem = checkEmbedGrant(grant);
  if (problem) refuse(problem.field, problem.message);
}

async function resolve(tx: Db, entries: readonly Entry[]): Promise<store.NewRecipient[]> {
  const ofConsole = entries.filter(({ input }) => input.type === 'USER');
  const ofTenants = entries.filter(({ input }) => input.type === 'EMBED_USER');
  const ids = new Map([...(await findConsoleUsers(tx, ofConsole)), ...(await ensureEmbedUsers(tx, ofTenants))]);
  const seen = new Set<number>();
  return entries.map(entry => {
    const userId = ids.get(entry);
    if (userId === undefined) throw new Error('A recipient was not resolved.');
    if (seen.has(userId)) throw new PlatformError(400, `${entry.where}: duplicates an earlier recipient`);
    seen.add(userId);
    const embed = entry.input.type === 'USER' ? null : governedBy(entry.input);
    return { userId, channel: null, channelName: null, embedTenantId: null, embed };
  });
}

async function findConsoleUsers(tx: Db, entries: readonly Entry[]): Promise<[Entry, number][]> {
  const sent = entries.map(({ input }) => input);
  const found = await store.findConsoleUsers(
    tx,
    sent.flatMap(({ userId }) => userId ?? []),
    sent.flatMap(({ email }) => email ?? []),
  );
  return entries.map(entry => {
    const { userId, email } = entry.input;
    const user = found.find(each =>
      email == null ? each.id === userId : lowerAscii(each.email ?? '') === lowerAscii(email),
    );
    const field = `${entry.where}.${email == null ? 'userId' : 'email'}`;
    if (!user) throw new PlatformError(400, `${field}: user not found`);
    if (!isEmail(user.email)) throw new PlatformError(400, `${field}: the user has no valid email address`);
    return [entry, user.id];
  });
}

/**
 * Creates or updates embed users in the same way as minting a session does. Writes them in a fixed order, so that
 * concurrent requests cannot deadlock.
 */
async function ensureEmbedUsers(tx: Db, entries: readonly Entry[]): Promise<[Entry, number][]> {
  await checkRendering(tx, entries);
  const key = ({ input }: Entry) => `${input.embedTenantName} ${input.externalId}`;
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const tenants = new Map<string, Tenant>();
  const resolved: [Entry, number][] = [];
  for (const entry of sorted) {
    const { embedTenantName, externalId, email } = entry.input;
    if (embedTenantName == null || externalId == null) continue;
    const tenant = tenants.get(embedTenantName) ?? (await ensureLockedTenant(tx, embedTenantName));
    tenants.set(embedTenantName, tenant);
    const user = await applyEmbedUser(tx, tenant, { externalId, email }, entry.where);
    if (!user) throw tooManyUsers();
    resolved.push([entry, user.id]);
  }
  const ids = resolved.map(([, id]) => id);
  const emails = await store.emailsOf(tx, ids);
  for (const [{ input, where }, id] of resolved) {
    if (emailOf({ email: emails.get(id) ?? null, externalId: input.externalId ?? null }) !== null) continue;
    throw new PlatformError(
      400,
      `${where}.email: the embed user has no valid email address, and its externalId is not one`,
    );
  }
  return resolved;
}

/** Validates the groups and user attributes of all recipients, and the attribute types. @throws PlatformError 400 */
export async function checkRendering(tx: Db, entries: readonly Entry[]): Promise<void> {
  const groups = entries.flatMap(({ input }) => input.groups ?? []);
  const attributes = entries.flatMap(({ input }) => (input.userAttributes ?? []).map(({ name }) => name));
  const knownGroups = await findGroups(tx, { kind: GroupKind.account }, [...new Set(groups)]);
  const knownAttributes = await findAttributes(tx, [...new Set(attributes)]);
  for (const { input, where } of entries) {
    const group = input.groups?.find(name => !knownGroups.has(name));
    if (group !== undefined) throw new PlatformError(400, `${where}.groups: group ${group} not found`);
    for (const { name, value } of input.userAttributes ?? []) {
      const known = knownAttributes.get(name);
      if (!known) throw new PlatformError(400, `${where}.userAttributes: attribute ${name} not found`);
      if (value === null || fitsType(known.type, value)) continue;
      throw new PlatformError(400, `${where}.userAttributes: ${name} must be of type ${known.type}`);
    }
  }
}

const isEmail = (text: string | null): boolean => MailAddress.safeParse(text).success;

/** Returns the email address of a user, or its external id if that is an address; otherwise `null`. */
function emailOf({ email, externalId }: Pick<store.StoredRecipient, 'email' | 'externalId'>): string | null {
  return [email, externalId].find(isEmail) ?? null;
}

function showKnown(recipient: store.StoredRecipient | undefined): NotificationRecipient[] {
  return recipient ? [showRecipient(recipient)] : [];
}

/** Returns a recipient as in responses. */
export function showRecipient(recipient: store.StoredRecipient): NotificationRecipient {
  const { userId, username, embedTenantName, externalId, channel } = recipient;
  if (channel !== null) return showChannel(recipient, channel);
  const email = emailOf(recipient);
  if (embedTenantName === null) return { type: 'USER', userId, username, email };
  return { type: 'EMBED_USER', embedUserId: userId, embedTenantName, externalId, email };
}
