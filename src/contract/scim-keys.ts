import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, optional, pageOf, SearchQuery } from './wire.js';

/** A key of the Provisioning API, without its secret. */
export const ScimKey = z.looseObject({
  id: z.int(),
  name: z.string(),
  createdAt: z.string(),
  /** Time of the last request, with a precision of one minute. */
  lastUsedAt: optional(z.string()),
});
/** A key of the Provisioning API, without its secret. */
export type ScimKey = z.infer<typeof ScimKey>;

/** A new key of the Provisioning API with its secret, which is returned only once. */
export const NewScimKey = z.extend(ScimKey, { key: z.string().check(z.minLength(1)) });
/** A new key of the Provisioning API with its secret. */
export type NewScimKey = z.infer<typeof NewScimKey>;

const common = { api: 'platform', access: 'admin' } as const;

/**
 * Creates a key for a directory that provisions users and groups (SCIM). It is valid for the Provisioning API only.
 * Only a hash is stored, so `key` is returned only once. All operations on these keys are extensions and require an
 * API key with the admin role.
 */
export const createScimKey = operation({
  ...common,
  id: 'createScimKey',
  method: 'POST',
  path: '/api/v1/scim-keys',
  body: z.strictObject({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  response: NewScimKey,
  errors: { 409: 'Another key has this name.' },
});

/** Lists the keys of the Provisioning API, oldest first. `search` matches part of the name, ignoring case. */
export const listScimKeys = operation({
  ...common,
  id: 'listScimKeys',
  method: 'GET',
  path: '/api/v1/scim-keys',
  query: SearchQuery,
  response: pageOf(ScimKey),
  errors: {},
});

/** Revokes a key of the Provisioning API. Requests that use it are rejected from then on. */
export const revokeScimKey = operation({
  ...common,
  id: 'revokeScimKey',
  method: 'DELETE',
  path: '/api/v1/scim-keys/{id}',
  params: z.strictObject({ id: IdParam }),
  response: null,
  errors: { 404: 'The key does not exist.' },
});
