import * as z from 'zod/mini';
import { operation } from './operation.js';
import { builtInRoles } from './roles.js';
import { IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** An API key, without the key: that is told once, when it is made. */
export const ApiKey = z.looseObject({
  id: z.int(),
  name: z.string(),
  /** Whom it speaks for. */
  user: z.looseObject({ id: z.int(), username: z.string() }),
  /** The most that it gives of what its user may; null where it gives all of it. */
  role: z.nullable(openEnum(builtInRoles)),
  createdAt: z.string(),
});
/** An API key, without the key. */
export type ApiKey = z.infer<typeof ApiKey>;

/** A key that was just made: the only time that it is told. */
export const NewApiKey = z.extend(ApiKey, { key: z.string().check(z.minLength(1)) });
/** A key that was just made. */
export type NewApiKey = z.infer<typeof NewApiKey>;

const common = { api: 'platform', access: 'admin' } as const;

/**
 * Makes an API key; it is stored as a hash, and told this once. `userId` or `username` says for whom: exactly one. A user of that name is
 * made where there is none, with `role`, which is required then. For a user that is there, `role` is the most that the key gives; never
 * more than the user may. Our extension, as are all operations here; each takes an API key with the admin role.
 */
export const createApiKey = operation({
  ...common,
  id: 'createApiKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  body: z.strictObject({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
    userId: optional(z.int().check(z.positive())),
    username: optional(z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(255))),
    role: optional(z.enum(builtInRoles)),
  }),
  response: NewApiKey,
  errors: { 404: 'no such user', 409: 'another key has the name' },
});

/** The API keys, in the order in which they were made. */
export const listApiKeys = operation({
  ...common,
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  query: PageQuery,
  response: pageOf(ApiKey),
  errors: {},
});

/**
 * Revokes an API key: its next request is refused. Tokens that were made with it live on to their end, 24 hours at most. A key may revoke
 * itself. The key of the platform's start can't be revoked, so that there is always one: it is changed by another `PA_ADMIN_KEY`.
 */
export const revokeApiKey = operation({
  ...common,
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  params: z.strictObject({ id: IdParam }),
  response: null,
  errors: { 404: 'no such key', 409: 'it is the key of the start' },
});
