import * as z from 'zod/mini';
import { lowerAscii } from './lower-ascii.js';
import { operation } from './operation.js';
import { builtInRoles } from './roles.js';
import { IdParam, openEnum, optional, pageOf, SearchQuery } from './wire.js';

/** An API key without its secret, which is returned only once, on creation. */
export const ApiKey = z.looseObject({
  id: z.int(),
  name: z.string(),
  /** User whose permissions the key has. */
  user: z.looseObject({ id: z.int(), username: z.string() }),
  /** Limits the key to a built-in role; `null` if the key has all permissions of its user. */
  role: z.nullable(openEnum(builtInRoles)),
  createdAt: z.string(),
  /** Time from which the key is rejected; `null` if it does not expire. */
  expiresAt: optional(z.string()),
  /** Time of the last request, with a precision of one minute. */
  lastUsedAt: optional(z.string()),
});
/** An API key without its secret. */
export type ApiKey = z.infer<typeof ApiKey>;

/** A new API key with its secret, which is returned only once. */
export const NewApiKey = z.extend(ApiKey, { key: z.string().check(z.minLength(1)) });
/** A new API key with its secret. */
export type NewApiKey = z.infer<typeof NewApiKey>;

const common = { api: 'platform', access: 'admin' } as const;

/**
 * Creates an API key. Only a hash is stored, so `key` is returned only once. Identify the user by exactly one of
 * `userId` and `username`. If no user has this username, one is created with `role`, which is then required. For an
 * existing user, `role` limits the key; it cannot exceed the user's permissions. From `expiresAt` (in the future) on,
 * the key and the tokens that were created with it are rejected as if they were unknown; without it, the key does not
 * expire. All operations on API keys are extensions and require an API key with the admin role.
 */
export const createApiKey = operation({
  ...common,
  id: 'createApiKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  body: z.strictObject({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
    userId: optional(z.int().check(z.positive())),
    username: optional(z.string().check(z.trim(), z.overwrite(lowerAscii), z.minLength(1), z.maxLength(255))),
    role: optional(z.enum(builtInRoles)),
    expiresAt: optional(z.iso.datetime({ offset: true })),
  }),
  response: NewApiKey,
  errors: { 404: 'The user does not exist.', 409: 'Another key has this name.' },
});

/**
 * Lists the API keys, oldest first, with their expiry and last use. Expired keys stay in the list until revoked.
 * `search` matches part of the name or of the username, ignoring case.
 */
export const listApiKeys = operation({
  ...common,
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  query: SearchQuery,
  response: pageOf(ApiKey),
  errors: {},
});

/**
 * Revokes an API key. From the next request on, the key and the tokens that were created with it are rejected. A key
 * can revoke itself. The key that the platform was started with cannot be revoked, so that at least one key always
 * exists; set `PA_ADMIN_KEY` to change it.
 */
export const revokeApiKey = operation({
  ...common,
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  params: z.strictObject({ id: IdParam }),
  response: null,
  errors: { 404: 'The key does not exist.', 409: 'The key is set by PA_ADMIN_KEY.' },
});
