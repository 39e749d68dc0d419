import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { UserAttributeType, UserAttributeValue } from '../../contract/embed-grant.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from './database.js';
import { inNameOrder } from './groups.js';
import { userAttributes, userAttributeValues } from './schema.js';

/** A user attribute to be defined; what is left out keeps its stored value. */
export interface AttributeDescription {
  readonly name: string;
  readonly type: UserAttributeType;
  readonly displayName?: string | null | undefined;
  readonly defaultValue?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** A user attribute as it is stored. */
export interface StoredAttribute {
  readonly id: number;
  readonly type: UserAttributeType;
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
  const values = rows.map(row => [row.name, row.value ?? readDefault(row.type, row.defaultValue)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** True for a value of this type. */
export function fitsType(type: UserAttributeType, value: unknown): boolean {
  if (type === 'string_array') return Array.isArray(value) && value.every(item => typeof item === 'string');
  if (type === 'number_array') return Array.isArray(value) && value.every(item => typeof item === 'number');
  return typeof value === type;
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
