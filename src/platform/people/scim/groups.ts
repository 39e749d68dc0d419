import { type ScimGroup, ScimUrn } from '../../../contract/scim.js';
import type { JsonObject } from '../../../contract/wire.js';
import { isReservedGroupName } from '../group-member-store.js';
import { isObject } from './attributes.js';
import { entityTag } from './entity-tag.js';
import { type Change, type PatchInput, readChanges, readPath } from './patch.js';
import { invalid, invalidPath } from './scim-error.js';
import type { DirectoryGroup, DirectoryMember } from './scim-group-store.js';

const maxName = 255;
const maxMembers = 50_000;
/** Prefix of the messages about values of changes. */
export const inOperations = 'Operations: ';

/** A group as sent by a directory. */
export interface WrittenGroup {
  readonly name: string;
  readonly directoryId: string | null;
  readonly members: readonly number[];
}

/** A change to a group. `userIds` is `null` for all members. */
export type GroupChange =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'directoryId'; readonly directoryId: string | null }
  | { readonly kind: 'members'; readonly op: Change['op']; readonly userIds: readonly number[] | null };

/**
 * Reads a complete group.
 * @throws PlatformError 400 `invalidValue`
 */
export function readGroup(body: JsonObject): WrittenGroup {
  const fields = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    name: readName(fields.get('displayname')),
    directoryId: readText(fields.get('externalid'), 'externalId'),
    members: readMembers(fields.get('members') ?? []),
  };
}

/**
 * Reads the changes to a group. Drops changes to unknown and read-only attributes.
 * @throws PlatformError 400 `invalidValue`, `invalidPath` or `invalidFilter`
 */
export function readGroupChanges(operations: readonly PatchInput[]): GroupChange[] {
  return readChanges(operations).flatMap(change => readGroupChange(change) ?? []);
}

function readGroupChange({ op, path: text, value }: Change): GroupChange | null {
  const path = readPath(text);
  if (path.extension !== null) return null;
  switch (path.attribute.toLowerCase()) {
    case 'displayname':
      return { kind: 'name', name: readName(op === 'remove' ? null : value, inOperations) };
    case 'externalid':
      return { kind: 'directoryId', directoryId: op === 'remove' ? null : readText(value, 'externalId', inOperations) };
    case 'members': {
      if (path.filter === null)
        return { kind: 'members', op, userIds: value == null ? null : readMembers(value, inOperations) };
      if (op !== 'remove') throw invalidPath('Operations: a filter of members requires the operation remove');
      const ids = path.filter.flatMap(condition => condition.get('value') ?? []);
      return {
        kind: 'members',
        op,
        userIds: readMembers(
          ids.map(comparison => comparison.value),
          inOperations,
        ),
      };
    }
    default:
      return null;
  }
}

function readName(value: unknown, where = ''): string {
  const name = readText(value, 'displayName', where)?.trim() ?? '';
  if (name === '') throw invalid(`${where}displayName: is required`);
  if (isReservedGroupName(name)) throw invalid(`${where}displayName: names that start with "system:" are reserved`);
  if (name.length > maxName) throw invalid(`${where}displayName: has more than ${maxName} characters`);
  return name;
}

function readText(value: unknown, name: string, where = ''): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string' || value.length > 1000)
    throw invalid(`${where}${name}: must be text of at most 1,000 characters`);
  return value;
}

/** Reads ids of members: `{value: id}`, or the id itself. */
function readMembers(value: unknown, where = ''): number[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > maxMembers) throw invalid(`${where}members: has more than ${maxMembers} values`);
  const ids = list.map(each => {
    const given = isObject(each) ? each.value : each;
    if (typeof given !== 'string' && typeof given !== 'number') throw invalid(`${where}members: must be ids of users`);
    const id = String(given);
    if (/^\d{1,15}$/.test(id)) return Number(id);
    throw unknownMember(id, where);
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Creates the 400 for a member that is not a user of the directory. */
export function unknownMember(id: number | string, where = ''): Error {
  return invalid(`${where}members: no user has the id ${JSON.stringify(String(id).slice(0, 100))}`);
}

/**
 * Converts a group to a resource.
 * @param members - `null` if the response does not contain them.
 */
export function groupResource(
  { id, name, directoryId, revision, createdAt, updatedAt }: DirectoryGroup,
  members: readonly DirectoryMember[] | null,
  baseUrl: string,
): ScimGroup {
  return {
    schemas: [ScimUrn.group],
    id: String(id),
    ...(directoryId !== null && { externalId: directoryId }),
    displayName: name,
    ...(members && {
      members: members.map(member => ({ ...member, $ref: `${baseUrl}/Users/${member.value}`, type: 'User' })),
    }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${baseUrl}/Groups/${id}`,
      version: entityTag(revision),
    },
  };
}
