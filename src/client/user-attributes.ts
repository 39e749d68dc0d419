import type { BodyOf, QueryOf, ResponseOf } from '../contract/operation.js';
import * as attributes from '../contract/user-attributes.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** One page of the user attributes, the newest first. */
export function listUserAttributes(
  connection: PlatformConnection,
  query: QueryOf<typeof attributes.getUserAttributes> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof attributes.getUserAttributes>> {
  return call(attributes.getUserAttributes, connection, { query }, options);
}

/** Defines a user attribute. */
export function createUserAttribute(
  connection: PlatformConnection,
  body: BodyOf<typeof attributes.createUserAttribute>,
  options?: RequestOptions,
): Promise<attributes.UserAttribute> {
  return call(attributes.createUserAttribute, connection, { body }, options);
}

/** Describes a user attribute anew; an empty text clears the field. */
export function updateUserAttribute(
  connection: PlatformConnection,
  id: number,
  body: BodyOf<typeof attributes.updateUserAttribute>,
  options?: RequestOptions,
): Promise<attributes.UserAttribute> {
  return call(attributes.updateUserAttribute, connection, { params: { id }, body }, options);
}

/** Sets a user's value of an attribute; null clears it. */
export function setUserAttributeValue(
  connection: PlatformConnection,
  body: BodyOf<typeof attributes.upsertUserAttributeValue>,
  options?: RequestOptions,
): Promise<attributes.UserAttributeValueRecord> {
  return call(attributes.upsertUserAttributeValue, connection, { body }, options);
}

/** The values that a user has of its own, by name. */
export function listUserAttributeValues(
  connection: PlatformConnection,
  userId: number,
  options?: RequestOptions,
): Promise<attributes.UserAttributeValueRecord[]> {
  return call(attributes.getUserAttributeValues, connection, { params: { userId } }, options);
}
