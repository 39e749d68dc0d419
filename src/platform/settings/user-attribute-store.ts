import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { UserAttributeType, UserAttributeValue } from '../../contract/embed-grant.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { inNameOrder } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { userAttributes, userAttributeValues } from '../db/schema.js';

/** A user attribute to be defined; what is left out keeps its stored value. */
export interface AttributeDescription {
  readonly name: string;
  readonly type: UserAttributeType;
  readonly displayName?: string | null | undefined;
  readonly defaultValue?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** A user attribute as it is stored, as far as its values need it. */
export interface StoredAttribute {
  readonly id: number;
  readonly type: UserAttributeType;
}

/** A user attribute as an administrator sees it. */
export type Attribute = typeof userAttributes.$inferSelect;

/** A user's own value of an attribute; null where it was cleared. */
export type StoredValue = Attribute & { readonly userId: number; readonly value: UserAttributeValue };

/** Part of the list of attributes: by cursor, or from an offset. */
export type AttributePage = PageRequest & { readonly offset?: number };

const newestFirst = new Keyset<Attribute>('user-attributes', { id: userAttributes.id }, 'desc');

/** One page of the attributes, the newest first, and how many they are. */
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

/** Creates an attribute; null when the name is taken. */
export async function createAttribute(tx: Db, attribute: Omit<Attribute, 'id'>): Promise<Attribute | null> {
  const [created] = await tx.insert(userAttributes).values(attribute).onConflictDoNothing().returning();
  return created ?? null;
}

/** An attribute by id. */
export async function findAttribute(db: Db, id: number): Promise<Attribute | null> {
  const [attribute] = await db.select().from(userAttributes).where(eq(userAttributes.id, id));
  return attribute ?? null;
}

/** An attribute that nobody else describes until the transaction ends; its values may change. */
export async function lockAttribute(tx: Db, id: number): Promise<Attribute | null> {
  const [attribute] = await tx.select().from(userAttributes).where(eq(userAttributes.id, id)).for('no key update');
  return attribute ?? null;
}

/** Describes a locked attribute anew: what is left out stays, an empty text clears. */
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

/** The values that a user has of its own, by name. */
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
 * Defines attributes; those whose stored type is another one are left alone and returned by name. Where nothing is new nothing
 * is locked, so that a host may define its attributes with every session.
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

/** The attributes with these names, by name. */
export async function findAttributes(db: Db, names: readonly string[]): Promise<Map<string, StoredAttribute>> {
  if (names.length === 0) return new Map();
  const { id, name, type } = userAttributes;
  const rows = await db
    .select({ id, name, type })
    .from(userAttributes)
    .where(inArray(name, [...names]));
  return new Map(rows.map(row => [row.name, row]));
}

/** Sets a user's value of an attribute; null clears it. A value that is there already is not written again. */
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
      // `json` can't be compared, its text can.
      setWhere: sql`${userAttributeValues.value}::text is distinct from excluded.value::text`,
    });
}

/** A user's attributes as the model's policies see them: own values, else defaults; an attribute with neither is absent. */
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

/** An attribute with a user's value of it; null where the user has none. */
export interface AttributeOfUser {
  readonly name: string;
  readonly type: UserAttributeType;
  readonly defaultValue: string | null;
  readonly value: UserAttributeValue;
}

/** Values by name, as `attributeValuesOf` tells them. */
export function effectiveValues(rows: readonly AttributeOfUser[]): JsonObject {
  const values = rows.map(row => [row.name, row.value ?? readDefault(row.type, row.defaultValue)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** True for a value of this type. */
export function fitsType(type: UserAttributeType, value: unknown): boolean {
  if (type === 'string_array') return Array.isArray(value) && value.every(item => typeof item === 'string');
  // JSON reads 1e999 as infinite, and writes that as null.
  if (type === 'number_array') return Array.isArray(value) && value.every(Number.isFinite);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** Reads the text of a default: a string as it stands, every other type as JSON. Null where it does not fit the type. */
export function readDefault(type: UserAttributeType, text: string | null | undefined): UserAttributeValue {
  if (text == null || type === 'string') return text ?? null;
  try {
    const value: UserAttributeValue = JSON.parse(text);
    return fitsType(type, value) ? value : null;
  } catch {
    return null;
  }
}
