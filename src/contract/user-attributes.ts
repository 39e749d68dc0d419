import * as z from 'zod/mini';
import { AttributeName, userAttributeTypes } from './embed-grant.js';
import { operation } from './operation.js';
import { digits, IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** A user attribute (spec 2.8). Access policies of the model reference its values as `userAttributes.<name>`. */
export const UserAttribute = z.looseObject({
  id: z.int(),
  name: z.string(),
  type: openEnum(userAttributeTypes),
  defaultValue: optional(z.string()),
  description: optional(z.string()),
  displayName: optional(z.string()),
});
/** A user attribute (spec 2.8). */
export type UserAttribute = z.infer<typeof UserAttribute>;

/** A user's value of an attribute; `formattedValue` is its display text. */
export const UserAttributeValueRecord = z.looseObject({
  name: z.string(),
  type: openEnum(userAttributeTypes),
  userAttributeId: z.int(),
  userId: z.int(),
  description: optional(z.string()),
  displayName: optional(z.string()),
  formattedValue: z.optional(z.unknown()),
  value: z.optional(z.unknown()),
});
/** A user's value of an attribute. */
export type UserAttributeValueRecord = z.infer<typeof UserAttributeValueRecord>;

const described = {
  defaultValue: optional(z.string().check(z.maxLength(10_000))),
  description: optional(z.string().check(z.maxLength(10_000))),
  displayName: optional(z.string().check(z.maxLength(255))),
};
const count = PageQuery.shape.first;

/**
 * Lists the user attributes, newest first. Pagination uses a cursor (`first`, `after`) or, deprecated, `offset` and
 * `limit`; a request cannot use both. `name` matches the whole name.
 */
export const getUserAttributes = operation({
  id: 'getUserAttributes',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/user-attributes',
  access: 'admin',
  query: z.extend(PageQuery, {
    offset: z.optional(
      z.pipe(z.union([z.number(), digits(9, 0)]), z.pipe(z.transform(Number), z.int().check(z.gte(0)))),
    ),
    limit: count,
    name: z.optional(z.string().check(z.maxLength(255))),
    type: z.optional(z.enum(userAttributeTypes)),
  }),
  response: pageOf(UserAttribute),
  errors: {},
});

/**
 * Creates a user attribute. `defaultValue` is the string itself for attributes of type string, and JSON text for other
 * types.
 */
export const createUserAttribute = operation({
  id: 'createUserAttribute',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/user-attributes',
  access: 'admin',
  body: z.strictObject({ name: AttributeName, type: z.enum(userAttributeTypes), ...described }),
  response: UserAttribute,
  errors: { 409: 'Another attribute has this name.' },
});

/** Updates a user attribute. An empty string clears a field. Name and type cannot be changed. */
export const updateUserAttribute = operation({
  id: 'updateUserAttribute',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/user-attributes/{id}',
  access: 'admin',
  params: z.strictObject({ id: IdParam }),
  body: z.strictObject(described),
  response: UserAttribute,
  errors: { 404: 'The user attribute does not exist.' },
});

const text = z.string().check(z.maxLength(10_000));
const AssignedValue = z.nullish(
  z.union([
    text,
    z.number(),
    z.boolean(),
    z.array(text).check(z.maxLength(1000)),
    z.array(z.number()).check(z.maxLength(1000)),
  ]),
);

/**
 * Sets the attribute value of an internal user or an embed user; `null` or no value clears it. Takes effect for
 * sessions created afterwards.
 */
export const upsertUserAttributeValue = operation({
  id: 'upsertUserAttributeValue',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/user-attribute-values',
  access: 'admin',
  body: z.strictObject({ userAttributeId: IdParam, userId: IdParam, value: AssignedValue }),
  response: UserAttributeValueRecord,
  errors: { 404: 'The user attribute or user does not exist.' },
});

/** Returns the attribute values that are set on the user itself, by name, without defaults. */
export const getUserAttributeValues = operation({
  id: 'getUserAttributeValues',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/user-attribute-values/{userId}',
  access: 'admin',
  params: z.strictObject({ userId: IdParam }),
  response: z.array(UserAttributeValueRecord),
  errors: { 404: 'The user does not exist.' },
});
