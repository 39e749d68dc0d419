import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ScimUrn } from '../../../contract/scim.js';
import { startKeyName } from '../../auth/api-key-store.js';
import type { Db } from '../../db/database.js';
import { apiKeys, users } from '../../db/schema.js';
import { type Attribute, findAttribute, writableAttributes } from './attributes.js';
import { type AttributeComparisons, compareFields, type Field, filterToSql } from './filter.js';

/** A user of the directory, and the groups that it is a member of. */
export type DirectoryUser = Pick<
  typeof users.$inferSelect,
  | 'id'
  | 'email'
  | 'displayName'
  | 'title'
  | 'directoryId'
  | 'directory'
  | 'deactivatedAt'
  | 'revision'
  | 'createdAt'
  | 'updatedAt'
> & { readonly username: string; readonly groups: readonly { readonly value: string; readonly display: string }[] };

// The SQL text contains the names of tables, because Drizzle omits them in selected expressions, and several tables
// have a column `id`.
/**
 * Condition for the users that directories can see: those of the account, except the built-in administrator, whom a
 * directory could otherwise lock out.
 */
export const inDirectory = sql`users.embed_tenant_id is null and not exists (
  select from ${apiKeys} where api_keys.user_id = users.id and api_keys.name = ${startKeyName})`;

const memberships = sql`from group_members join groups on groups.id = group_members.group_id
  where group_members.user_id = users.id and groups.kind = 'account'`;

const columns = {
  id: users.id,
  username: sql<string>`users.username`,
  email: users.email,
  displayName: users.displayName,
  title: users.title,
  directoryId: users.directoryId,
  directory: users.directory,
  deactivatedAt: users.deactivatedAt,
  revision: users.revision,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
  groups: sql<DirectoryUser['groups']>`coalesce((
    select json_agg(json_build_object('value', groups.id::text, 'display', groups.name) order by groups.name) ${memberships}
  ), '[]')`,
};

/** The requested part of a list. `startIndex` is 1 for the first item. */
export interface ListWindow {
  readonly filter?: string | undefined;
  readonly startIndex: number;
  readonly count: number;
}

/**
 * Returns the requested part of the users in the order of their creation, and the total number.
 * @throws PlatformError 400 `invalidFilter`
 */
export async function listDirectoryUsers(
  db: Db,
  { filter, startIndex, count }: ListWindow,
): Promise<{ readonly total: number; readonly rows: readonly DirectoryUser[] }> {
  const condition = and(inDirectory, filter === undefined ? undefined : filterToSql(filter, compareUser));
  const total = await db.$count(users, condition);
  if (count === 0 || startIndex > total) return { total, rows: [] };
  const rows = await db
    .select(columns)
    .from(users)
    .where(condition)
    .orderBy(users.id)
    .offset(startIndex - 1)
    .limit(count);
  return { total, rows };
}

/** Returns a user of the directory, or `null`. */
export async function findDirectoryUser(db: Db, id: number): Promise<DirectoryUser | null> {
  const [user] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), inDirectory));
  return user ?? null;
}

/** Returns a user of the directory, and locks it until the transaction ends. */
export async function lockDirectoryUser(tx: Db, id: number): Promise<DirectoryUser | null> {
  const locked = await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update');
  return locked.length > 0 ? findDirectoryUser(tx, id) : null;
}

/** The columns that a directory can write. */
export type DirectoryChange = Pick<
  typeof users.$inferInsert,
  'username' | 'email' | 'displayName' | 'title' | 'directoryId' | 'directory'
>;

/** Creates a user. Returns `null` if another user has this username or email. */
export async function insertDirectoryUser(tx: Db, user: DirectoryChange): Promise<number | null> {
  const [created] = await tx
    .insert(users)
    .values({ ...user, role: 'user' })
    .onConflictDoNothing()
    .returning({ id: users.id });
  return created?.id ?? null;
}

/** Changes a user. Rejects with a unique violation if another user has this username or email. */
export async function changeDirectoryUser(tx: Db, id: number, change: DirectoryChange): Promise<void> {
  const touched = { revision: sql`${users.revision} + 1`, updatedAt: sql`now()` };
  await tx
    .update(users)
    .set({ ...change, ...touched })
    .where(eq(users.id, id));
}

/** Returns the id of the built-in administrator, who receives the content of deleted users. */
export async function builtInAdmin(tx: Db): Promise<number> {
  const [key] = await tx.select({ userId: apiKeys.userId }).from(apiKeys).where(eq(apiKeys.name, startKeyName));
  if (!key) throw new Error('The platform has no built-in administrator.');
  return key.userId;
}

const fields: Readonly<Record<string, Field>> = {
  username: { kind: 'text', expression: sql`users.username` },
  externalid: { kind: 'exact', expression: sql`users.directory_id` },
  id: { kind: 'exact', expression: sql`users.id::text` },
  displayname: { kind: 'text', expression: sql`users.display_name` },
  title: { kind: 'text', expression: sql`users.title` },
  active: { kind: 'boolean', expression: sql`(users.deactivated_at is null)` },
  'meta.created': { kind: 'time', expression: sql`users.created_at` },
  'meta.lastmodified': { kind: 'time', expression: sql`users.updated_at` },
};

/** Returns the emails as a list. For a user that was not created by a directory, only the column `email` is set. */
const emails = sql`coalesce(users.directory->'emails', case when users.email is null then '[]'
  else jsonb_build_array(jsonb_build_object('value', users.email, 'type', 'work', 'primary', true)) end)`;

function compareUser(name: string, comparisons: AttributeComparisons): SQL | null {
  if (name === 'groups') {
    const isId = (sub: string) => (sub === '' || sub === 'value' ? groupId : undefined);
    const group = compareFields(comparisons, isId);
    return group && sql`exists (select ${memberships} and ${group})`;
  }
  const own = compareFields(comparisons, sub => fields[sub === '' ? name : `${name}.${sub}`]);
  if (own) return own;
  const urn = `${ScimUrn.enterpriseUser.toLowerCase()}:`;
  const extension = findAttribute(writableAttributes, ScimUrn.enterpriseUser);
  if (extension && name.startsWith(urn)) {
    const parent = sql`users.directory->${extension.name}`;
    return compareInside(parent, name.slice(urn.length), comparisons, extension.sub);
  }
  return compareInside(sql`users.directory`, name, comparisons, writableAttributes);
}

const groupId: Field = { kind: 'exact', expression: sql`groups.id::text` };

/** Compares an attribute that is stored as the directory sent it. */
function compareInside(
  parent: SQL,
  name: string,
  comparisons: AttributeComparisons,
  attributes: readonly Attribute[],
): SQL | null {
  const attribute = findAttribute(attributes, name);
  if (!attribute) return null;
  const { isMultiValued, sub } = attribute;
  if (attribute.type !== 'complex') {
    return compareFields(comparisons, name => (name === '' ? fieldOf(parent, attribute) : undefined));
  }
  const inside = (container: SQL) => (name: string) => {
    const found = findAttribute(sub, name === '' ? 'value' : name);
    return found && fieldOf(container, found);
  };
  if (!isMultiValued) return compareFields(comparisons, inside(sql`${parent}->${attribute.name}`));
  const compared = compareFields(comparisons, inside(sql`item`));
  const items = attribute.name === 'emails' ? emails : sql`coalesce(${parent}->${attribute.name}, '[]')`;
  return compared && sql`exists (select from jsonb_array_elements(${items}) item where ${compared})`;
}

function fieldOf(parent: SQL, { name, type }: Attribute): Field {
  const text = sql`${parent}->>${name}`;
  return type === 'boolean'
    ? { kind: 'boolean', expression: sql`(${text})::boolean` }
    : { kind: 'text', expression: sql`(${text})` };
}
