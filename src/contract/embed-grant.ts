import * as z from 'zod/mini';
import { EmbedSession, EmbedSessionSettings } from './embed.js';
import { lowerAscii } from './lower-ascii.js';
import { operation } from './operation.js';
import { EmbedTenantName, optional } from './wire.js';

/** Definition of a group. The group is created if it does not exist. */
export const GroupDefinition = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  description: optional(z.string().check(z.maxLength(500))),
});

/** Types of a user attribute (spec 2.8). */
export const userAttributeTypes = ['string', 'number', 'boolean', 'string_array', 'number_array'] as const;
/** Type of a user attribute (spec 2.8). */
export type UserAttributeType = (typeof userAttributeTypes)[number];

/** Value of a user attribute; null clears it. */
export const UserAttributeValue = z.nullable(
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())]),
);
/** Value of a user attribute; null clears it. */
export type UserAttributeValue = z.infer<typeof UserAttributeValue>;

/** Name of a user attribute, as access policies of the model use it: `userAttributes.<name>`. */
export const AttributeName = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be an identifier (letters, digits and _, no digit first)'));

/** A user attribute of a session (spec 2.8, attribute input). */
export const UserAttributeInput = z.strictObject({ name: AttributeName, value: UserAttributeValue });

/** Definition of a user attribute; its type cannot be changed later. */
export const UserAttributeDefinition = z.strictObject({
  name: AttributeName,
  type: z.enum(userAttributeTypes),
  displayName: optional(z.string().check(z.maxLength(255))),
  defaultValue: optional(z.string().check(z.maxLength(10_000))),
  description: optional(z.string().check(z.maxLength(10_000))),
});

const Css = z.string().check(z.maxLength(200));

/** Theme of a session (`EmbedTheme`). */
export const EmbedTheme = z.strictObject({
  font: optional(Css),
  primaryColor: optional(Css),
  analyticsChat: optional(
    z.strictObject({
      backgroundColor: optional(Css),
      chatInput: optional(z.strictObject({ backgroundColor: optional(Css), borderColor: optional(Css) })),
    }),
  ),
  chat: optional(z.strictObject({ inputColor: optional(Css) })),
});

/** Profile of an embed user. Omitted fields keep their stored values. */
export const EmbedUserProfile = z.strictObject({
  displayName: optional(z.string().check(z.maxLength(255))),
  picture: optional(z.url({ protocol: /^https?$/ }).check(z.maxLength(2048))),
});

/** Maximum number of groups or attributes per grant. Each of them requires its own lookup and write. */
const maxListed = 1000;

/** Names of a user's groups. */
export const GroupNames = z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(maxListed));

/** The host's id of a user, trimmed, with the letters A to Z lowercased. */
export const ExternalId = z.string().check(z.trim(), z.overwrite(lowerAscii), z.minLength(1), z.maxLength(255));

/**
 * Embed session request (spec 2.8, `GenerateSession`). Requires `deploymentId` and exactly one of `externalId` and
 * `internalId`. `null` means "not set". `checkEmbedGrant` checks the rules between fields.
 */
export const EmbedGrant = z.strictObject({
  deploymentId: z.int().check(z.positive()),
  externalId: optional(ExternalId),
  internalId: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
  email: optional(z.email().check(z.maxLength(320))),
  userProfile: optional(EmbedUserProfile),
  embedTenantName: optional(EmbedTenantName),
  embedTenantProfile: optional(z.strictObject({ displayName: optional(z.string().check(z.maxLength(255))) })),
  creatorMode: optional(z.boolean()),
  groups: optional(GroupNames),
  groupDefinitions: optional(z.array(z.unknown()).check(z.maxLength(maxListed))),
  tenantGroups: optional(GroupNames),
  tenantGroupDefinitions: optional(z.array(GroupDefinition).check(z.maxLength(maxListed))),
  userAttributes: optional(z.array(UserAttributeInput).check(z.maxLength(maxListed))),
  userAttributeDefinitions: optional(z.array(UserAttributeDefinition).check(z.maxLength(maxListed))),
  // `JsonObject` would also accept a Map or a class instance, which would be serialized as an empty object. A record
  // accepts only plain objects.
  securityContext: optional(z.record(z.string(), z.unknown())),
  settings: optional(EmbedSessionSettings),
  embedTheme: optional(EmbedTheme),
  branchName: optional(z.string()),
  publicDashboardId: optional(z.string()),
  /** Names of roles that can grant the session `DownloadData`. Their other actions do not apply to the session. */
  roles: optional(z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100))),
  isEphemeral: optional(z.boolean()),
});
/** Embed session request as input. */
export type EmbedGrant = z.input<typeof EmbedGrant>;

/** An error in a grant: the field and how to fix it. */
export interface GrantProblem {
  readonly field: keyof EmbedGrant;
  readonly message: string;
}

const externalOnlyFields = [
  'email',
  'groups',
  'userAttributes',
  'groupDefinitions',
  'tenantGroupDefinitions',
  'userAttributeDefinitions',
  'securityContext',
  'userProfile',
  'roles',
] as const;

function checkWho(grant: EmbedGrant): GrantProblem | null {
  if (grant.externalId == null && grant.internalId == null) {
    return {
      field: 'externalId',
      message: 'send externalId (a user of the host) or internalId (a user of the platform)',
    };
  }
  if (grant.internalId == null) return null;
  if (grant.externalId != null) return { field: 'internalId', message: 'send externalId or internalId, not both' };
  const field = externalOnlyFields.find(name => grant[name] != null);
  return field ? { field, message: 'is allowed only with externalId: an internal user has its own' } : null;
}

function checkCreatorFields(grant: EmbedGrant): GrantProblem | null {
  const creator = grant.creatorMode === true;
  for (const field of ['tenantGroups', 'tenantGroupDefinitions'] as const) {
    if (grant[field] != null && !(creator && grant.embedTenantName != null)) {
      return { field, message: 'requires creatorMode: true and embedTenantName' };
    }
  }
  if (grant.userAttributeDefinitions != null && !creator) {
    return { field: 'userAttributeDefinitions', message: 'requires creatorMode: true' };
  }
  const reserved = [...(grant.tenantGroupDefinitions ?? []).map(group => group.name), ...(grant.tenantGroups ?? [])];
  if (reserved.some(name => name.startsWith('system:'))) {
    return { field: 'tenantGroups', message: 'names that start with "system:" are reserved' };
  }
  return null;
}

function checkNames(grant: EmbedGrant): GrantProblem | null {
  for (const field of ['userAttributes', 'userAttributeDefinitions'] as const) {
    const names = (grant[field] ?? []).map(entry => entry.name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined) return { field, message: `contains "${duplicate}" twice` };
  }
  if (Object.hasOwn(grant.securityContext ?? {}, 'platform')) {
    return { field: 'securityContext', message: 'must not contain the key "platform": it is reserved' };
  }
  return null;
}

function checkUnsupported(grant: EmbedGrant): GrantProblem | null {
  const field = (['isEphemeral', 'publicDashboardId'] as const).find(name => grant[name] != null);
  return field ? { field, message: 'is not supported' } : null;
}

/**
 * Checks the rules between the fields of a grant (domain.md 1.1). Used by the Node helper before sending a request,
 * and by the platform. Returns `null` if the grant is valid.
 */
export function checkEmbedGrant(grant: EmbedGrant): GrantProblem | null {
  return checkWho(grant) ?? checkCreatorFields(grant) ?? checkNames(grant) ?? checkUnsupported(grant);
}

/** Creates a one-time embed session. Requires the admin role (`/v1/embed`, spec 1.4, 2.8). */
export const generateSession = operation({
  id: 'generateSession',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/generate-session',
  access: 'admin',
  body: EmbedGrant,
  response: EmbedSession,
  errors: { 404: 'The deployment, internal user or branch does not exist.' },
});
