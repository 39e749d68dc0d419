import type { EmbedGrant } from '../contract/embed-grant.js';
import type { UserAttribute } from '../contract/user-attributes.js';
import type { JsonObject } from '../contract/wire.js';

/**
 * The viewer on whose behalf the playground runs queries. Without any field, it sees what the model exposes to all
 * callers.
 */
export interface Audience {
  readonly securityContext: JsonObject;
  /** Names of account groups. */
  readonly groups: readonly string[];
  /** Attributes with a value. */
  readonly userAttributes: readonly { readonly name: string; readonly value: AttributeValue }[];
}

type AttributeValue = string | number | boolean | string[] | number[];

/** A viewer without security context, groups or attributes. */
export const anyone: Audience = { securityContext: {}, groups: [], userAttributes: [] };

/** Input of the user of the console, as text. */
export interface AudienceFields {
  /** JSON object; empty if there is none. */
  readonly securityContext: string;
  /** Names, separated by commas. */
  readonly groups: string;
  /** Values by name of the attribute; lists are separated by commas. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** An audience, or the field that is invalid and how to fix it. */
export type AudienceResult =
  | { readonly audience: Audience }
  | { readonly field: 'securityContext' | string; readonly problem: string };

/** Reads the fields of an audience. */
export function readAudience(fields: AudienceFields, known: readonly UserAttribute[]): AudienceResult {
  const securityContext = readObject(fields.securityContext);
  if (!securityContext) {
    return { field: 'securityContext', problem: 'Enter a JSON object such as {"tenant": "acme"}, or leave it empty.' };
  }
  const userAttributes: { name: string; value: AttributeValue }[] = [];
  for (const { name, type } of known) {
    const text = fields.attributes.get(name)?.trim() ?? '';
    if (text === '') continue;
    const value = readValue(text, type);
    if (value === null) return { field: name, problem: `Enter a value of type ${type.replace('_array', ' list')}.` };
    userAttributes.push({ name, value });
  }
  return { audience: { securityContext, groups: split(fields.groups), userAttributes } };
}

/**
 * Returns the grant of an embed session for an audience. Groups and attributes are stored with the embed user, so each
 * combination has a separate user. Otherwise, a session that another admin creates would change what this one sees.
 */
export function toGrant(audience: Audience, deploymentId: number, known: readonly UserAttribute[]): EmbedGrant {
  const values = new Map(audience.userAttributes.map(({ name, value }) => [name, value]));
  return {
    deploymentId,
    externalId: externalIdOf(audience),
    securityContext: audience.securityContext,
    groups: [...audience.groups],
    userAttributes: known.map(({ name }) => ({ name, value: values.get(name) ?? null })),
  };
}

function externalIdOf({ groups, userAttributes }: Audience): string {
  if (groups.length === 0 && userAttributes.length === 0) return 'playground';
  const attributes = userAttributes
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => [name, value]);
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify([groups.toSorted(), attributes])))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return `playground-${hash.toString(36)}`;
}

function readObject(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    // If the JSON is invalid, the caller reports the problem.
    return null;
  }
}

function readValue(text: string, type: string): AttributeValue | null {
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : null;
  if (type === 'string') return text;
  if (type === 'string_array') return split(text);
  const numbers = (type === 'number_array' ? split(text) : [text]).map(Number);
  if (!numbers.every(Number.isFinite)) return null;
  return type === 'number_array' ? numbers : (numbers[0] ?? null);
}

function split(text: string): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean);
}
