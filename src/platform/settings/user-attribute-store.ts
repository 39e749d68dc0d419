import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { UserAttributeType, UserAttributeValue } from '../../contract/embed-grant.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { inNameOrder } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { userAttributes, userAttributeValues } from '../db/schema.js';

/** A user attribute to define. Omitted fields stay unchanged. */
export interface AttributeDescription {
  readonly name: string;
  readonly type: UserAttributeType;
  readonly displayName?: string | null | undefined;
  readonly defaultValue?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** The fields of a stored user attribute that are needed to write its values. */
export interface StoredAttribute {
  readonly id: number;
  readonly type: UserAttributeType;
}

/** A stored user attribute with all columns, as shown to administrators. */
export type Attribute = typeof userAttributes.$inferSelect;

/** A user's own value of an attribute; `null` if it was cleared. */
export type StoredValue = Attribute & { readonly userId: number; readonly value: UserAttributeValue };

/** Requests a page of the list of attributes, by cursor or by offset. */
export type AttributePage = PageRequest & { readonly offset?: number };

const newestFirst = new Keyset<Attribute>('user-attributes', { id: userAttributes.id }, 'desc');

/** Returns one page of the attributes, newest first, and their total number. */
export async function listAttributes(
  db: Db,
  { name, type }: { readonly name?: string | undefined; readonly type?: UserAttributeType | undefined },
  page: AttributePage,
): Promise<KeysetPage<Attribute> & { readonly count: number }> {
  const filter = and(
    name === undefined ? undefined : eq(userAttributes.name, name),
    type === undefined ? undefined : eq(userAttributes.type, type),
  );
  const rows = await db
    .select()
    .from(userAttributes)
    .where(and(filter, newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page))
    .offset(page.offset ?? 0);
  const { items, pageInfo } = newestFirst.page(rows, page);
  const hasPreviousPage = pageInfo.hasPreviousPage || (page.offset ?? 0) > 0;
  return { items, pageInfo: { ...pageInfo, hasPreviousPage }, count: await db.$count(userAttributes, filter) };
}

/** Creates an attribute. Returns `null` if the name is taken. */
export async function createAttribute(tx: Db, attribute: Omit<Attribute, 'id'>): Promise<Attribute | null> {
  const [created] = await tx.insert(userAttributes).values(attribute).onConflictDoNothing().returning();
  return created ?? null;
}

/** Returns an attribute by id, or `null` if it does not exist. */
export async function findAttribute(db: Db, id: number): Promise<Attribute | null> {
  const [attribute] = await db.select().from(userAttributes).where(eq(userAttributes.id, id));
  return attribute ?? null;
}

/**
 * Locks an attribute for update until the transaction ends; `null` if it does not exist. Values of the attribute can
 * still be written.
 */
export async function lockAttribute(tx: Db, id: number): Promise<Attribute | null> {
  const [attribute] = await tx.select().from(userAttributes).where(eq(userAttributes.id, id)).for('no key update');
  return attribute ?? null;
}

/** Updates a locked attribute. Omitted fields stay unchanged; an empty string clears the field. */
export async function describeAttribute(
  tx: Db,
  attribute: Attribute,
  { displayName, defaultValue, description }: Omit<AttributeDescription, 'name' | 'type'>,
): Promise<Attribute> {
  const next = {
    displayName: displayName == null ? attribute.displayName : displayName || null,
    defaultValue: defaultValue == null ? attribute.defaultValue : defaultValue || null,
    description: description == null ? attribute.description : description || null,
  };
  const described = { ...attribute, ...next };
  if (!isDeepStrictEqual(described, attribute)) {
    await tx.update(userAttributes).set(next).where(eq(userAttributes.id, attribute.id));
  }
  return described;
}

/** Returns a user's own values, without defaults, ordered by attribute name. */
export async function listValues(db: Db, userId: number): Promise<StoredValue[]> {
  return db
    .select({
      ...getTableColumns(userAttributes),
      userId: userAttributeValues.userId,
      value: userAttributeValues.value,
    })
    .from(userAttributeValues)
    .innerJoin(userAttributes, eq(userAttributes.id, userAttributeValues.attributeId))
    .where(eq(userAttributeValues.userId, userId))
    .orderBy(asc(userAttributes.name));
}

/**
 * Creates or updates attributes. Does not change attributes that are stored with a different type, and returns their
 * names. Takes no lock if nothing changes, so that a host can define its attributes in every grant.
 */
export async function defineAttributes(db: Db, list: readonly AttributeDescription[]): Promise<string[]> {
  if (list.length === 0) return [];
  await db.insert(userAttributes).values(inNameOrder(list)).onConflictDoNothing();
  const names = list.map(attribute => attribute.name);
  const stored = await db.select().from(userAttributes).where(inArray(userAttributes.name, names));
  const byName = new Map(stored.map(row => [row.name, row]));
  for (const attribute of inNameOrder(list)) {
    const row = byName.get(attribute.name);
    const given = Object.fromEntries(Object.entries(attribute).filter(([, value]) => value != null));
    if (!row || isDeepStrictEqual({ ...row, ...given }, row)) continue;
    await db
      .update(userAttributes)
      .set(given)
      .where(and(eq(userAttributes.id, row.id), eq(userAttributes.type, attribute.type)));
  }
  return list.filter(({ name, type }) => byName.get(name)?.type !== type).map(({ name }) => name);
}

/** Returns the attributes with the given names, by name. */
export async function findAttributes(db: Db, names: readonly string[]): Promise<Map<string, StoredAttribute>> {
  if (names.length === 0) return new Map();
  const { id, name, type } = userAttributes;
  const rows = await db
    .select({ id, name, type })
    .from(userAttributes)
    .where(inArray(name, [...names]));
  return new Map(rows.map(row => [row.name, row]));
}

/** Sets a user's value of an attribute; `null` clears it. Skips the write if the value is unchanged. */
export async function setAttributeValue(
  db: Db,
  userId: number,
  attributeId: number,
  value: UserAttributeValue,
): Promise<void> {
  if (value === null) {
    await db
      .delete(userAttributeValues)
      .where(and(eq(userAttributeValues.userId, userId), eq(userAttributeValues.attributeId, attributeId)));
    return;
  }
  await db
    .insert(userAttributeValues)
    .values({ userId, attributeId, value })
    .onConflictDoUpdate({
      target: [userAttributeValues.userId, userAttributeValues.attributeId],
      set: { value },
      // Compares text, because Postgres cannot compare `json` values.
      setWhere: sql`${userAttributeValues.value}::text is distinct from excluded.value::text`,
    });
}

/**
 * Returns a user's attributes for the model's policies: the user's own values, otherwise defaults. Omits attributes
 * without either.
 */
export async function attributeValuesOf(db: Db, userId: number): Promise<JsonObject> {
  const { name, type, defaultValue } = userAttributes;
  const rows = await db
    .select({ name, type, defaultValue, value: userAttributeValues.value })
    .from(userAttributes)
    .leftJoin(
      userAttributeValues,
      and(eq(userAttributeValues.attributeId, userAttributes.id), eq(userAttributeValues.userId, userId)),
    )
    .orderBy(name);
  return effectiveValues(rows);
}

/** An attribute and a user's value; `null` if the user has none. */
export interface AttributeOfUser {
  readonly name: string;
  readonly type: UserAttributeType;
  readonly defaultValue: string | null;
  readonly value: UserAttributeValue;
}

/** Returns effective values by name, as `attributeValuesOf` does. */
export function effectiveValues(rows: readonly AttributeOfUser[]): JsonObject {
  const values = rows.map(row => [row.name, row.value ?? readDefault(row.type, row.defaultValue)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Returns true if a value has the type of the attribute. */
export function fitsType(type: UserAttributeType, value: unknown): boolean {
  if (type === 'string_array') return Array.isArray(value) && value.every(item => typeof item === 'string');
  // Rejects Infinity: `JSON.parse` reads 1e999 as Infinity, which `JSON.stringify` would write as null.
  if (type === 'number_array') return Array.isArray(value) && value.every(Number.isFinite);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/**
 * Parses the text of a default value: strings verbatim, other types as JSON. Returns `null` if the value does not have
 * the type.
 */
export function readDefault(type: UserAttributeType, text: string | null | undefined): UserAttributeValue {
  if (text == null || type === 'string') return text ?? null;
  try {
    const value: UserAttributeValue = JSON.parse(text);
    return fitsType(type, value) ? value : null;
  } catch {
    return null;
  }
}
