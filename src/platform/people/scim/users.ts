import { ScimUrn, type ScimUser } from '../../../contract/scim.js';
import type { JsonObject } from '../../../contract/wire.js';
import { type Attributes, isObject, readAttributes, writableAttributes } from './attributes.js';
import { entityTag } from './entity-tag.js';
import { applyChanges, type PatchInput, readChanges } from './patch.js';
import { invalid } from './scim-error.js';
import type { DirectoryChange, DirectoryUser } from './scim-user-store.js';

const maxUserName = 255;
const maxEmail = 320;

/** A user as sent by a directory. */
export interface WrittenUser {
  readonly columns: DirectoryChange;
  /** `null` if the directory did not send it. */
  readonly isActive: boolean | null;
}

/**
 * Reads a complete user.
 * @throws PlatformError 400 `invalidValue`
 */
export function readUser(body: JsonObject): WrittenUser {
  return writtenUser(readAttributes(body, writableAttributes));
}

/**
 * Applies changes to a user.
 * @throws PlatformError 400 `invalidValue`, `invalidPath` or `invalidFilter`
 */
export function patchUser(user: DirectoryUser, operations: readonly PatchInput[]): WrittenUser {
  return writtenUser(applyChanges(attributesOf(user), readChanges(operations), writableAttributes));
}

function writtenUser({ userName, externalId, active, ...directory }: Attributes): WrittenUser {
  const username = typeof userName === 'string' ? userName.trim() : '';
  if (username === '') throw invalid('userName: is required');
  if (username.length > maxUserName) throw invalid(`userName: has more than ${maxUserName} characters`);
  return {
    columns: {
      username,
      email: emailOf(directory.emails),
      displayName: displayNameOf(directory),
      title: textOf(directory.title),
      directoryId: textOf(externalId),
      directory,
    },
    isActive: typeof active === 'boolean' ? active : null,
  };
}

/**
 * Returns the primary email, or else the one of type `work`, or else the first; `null` if it is not an email address.
 */
function emailOf(emails: unknown): string | null {
  const list = Array.isArray(emails) ? emails.filter(isObject) : [];
  const isWork = ({ type }: JsonObject) => String(type).toLowerCase() === 'work';
  const chosen = list.find(each => each.primary === true) ?? list.find(isWork) ?? list[0];
  const address = String(chosen?.value ?? '').trim();
  return /^[^\s@]+@[^\s@]+$/.test(address) && address.length <= maxEmail ? address : null;
}

function displayNameOf({ displayName, name }: Attributes): string | null {
  const { formatted, givenName, familyName } = isObject(name) ? name : {};
  const whole = [givenName, familyName].map(textOf).filter(Boolean).join(' ');
  return textOf(displayName) ?? textOf(formatted) ?? textOf(whole);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the attributes of a user that a directory can write, even if an administrator created the user. */
function attributesOf(user: DirectoryUser): Attributes {
  const { directory, email, displayName, title, directoryId, username, deactivatedAt } = user;
  const own: Attributes =
    directory ?? (email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] });
  const isNamed = directory === null || own.displayName !== undefined;
  const attributes: Attributes = {
    ...own,
    userName: username,
    externalId: directoryId,
    displayName: isNamed ? displayName : null,
    title,
    active: deactivatedAt === null,
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** Converts a user to a resource. */
export function userResource(user: DirectoryUser, baseUrl: string): ScimUser {
  const { id, groups, createdAt, updatedAt, revision } = user;
  const attributes = attributesOf(user);
  const location = `${baseUrl}/Users/${id}`;
  return {
    schemas: [ScimUrn.user, ...(attributes[ScimUrn.enterpriseUser] ? [ScimUrn.enterpriseUser] : [])],
    id: String(id),
    ...(attributes as Pick<ScimUser, 'userName' | 'active'>),
    groups: groups.map(group => ({ ...group, $ref: `${baseUrl}/Groups/${group.value}`, type: 'direct' })),
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location,
      version: entityTag(revision),
    },
  };
}
