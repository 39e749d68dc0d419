import SCIMMY from 'scimmy';
import { ScimUrn } from '../../../contract/scim.js';
import type { JsonObject } from '../../../contract/wire.js';
import { invalid } from './scim-error.js';

/** An attribute of a schema (RFC 7643, section 2). */
export interface Attribute {
  readonly name: string;
  readonly isMultiValued: boolean;
  readonly type: 'complex' | 'boolean' | 'text';
  readonly sub: readonly Attribute[];
}

/** Attributes of a resource by canonical name. The key of the enterprise extension is its URN. */
export type Attributes = Record<string, unknown>;

const maxText = 20_000;
const maxValues = 500;

/** Attributes that are ignored in requests, because they are read-only or, as the password, never stored. */
const ignored = new Set(['schemas', 'id', 'meta', 'groups', 'password']);

const userAttributes = read(SCIMMY.Schemas.User.definition.attributes);
const extension: Attribute = {
  name: ScimUrn.enterpriseUser,
  isMultiValued: false,
  type: 'complex',
  sub: read(SCIMMY.Schemas.EnterpriseUser.definition.attributes),
};

/** The attributes of users that directories can write, and the enterprise extension. */
export const writableAttributes: readonly Attribute[] = [...userAttributes, extension];

function read(attributes: readonly SCIMMY.Types.Attribute[]): Attribute[] {
  return attributes
    .filter(({ name, config }) => !ignored.has(name) && (config.shadow !== true || name === 'externalId'))
    .map(({ name, type, config, subAttributes = [] }) => ({
      name,
      isMultiValued: config.multiValued === true,
      type: type === 'complex' || type === 'boolean' ? type : 'text',
      sub: read(subAttributes),
    }));
}

/** Finds an attribute by its name, ignoring case (RFC 7643, section 2.1). */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const requested = name.toLowerCase();
  return attributes.find(each => each.name.toLowerCase() === requested);
}

/**
 * Reads attributes in the variants that directories send: names in any case, booleans as text, single values instead of
 * lists, and text instead of `{value: text}`. Drops unknown and read-only attributes, and attributes without a value.
 * @throws PlatformError 400 `invalidValue`
 */
export function readAttributes(input: JsonObject, attributes: readonly Attribute[], where = ''): Attributes {
  const found: Attributes = {};
  for (const [key, value] of Object.entries(input)) {
    const attribute = findAttribute(attributes, key);
    const read = attribute && readValue(value, attribute, `${where}${attribute.name}`);
    if (read !== undefined) found[attribute?.name ?? ''] = read;
  }
  return found;
}

/** Reads the value of an attribute; `undefined` if it has none. */
export function readValue(value: unknown, attribute: Attribute, where: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.isMultiValued) return readSingle(value, attribute, where);
  const values = Array.isArray(value) ? value : [value];
  if (values.length > maxValues) throw invalid(`${where}: has more than ${maxValues} values`);
  const read = values.map((each, index) => readSingle(each, attribute, `${where}[${index}]`));
  return read.filter(each => each !== undefined);
}

function readSingle(value: unknown, attribute: Attribute, where: string): unknown {
  if (attribute.type === 'boolean') return readBoolean(value, where);
  if (attribute.type === 'text') return readText(value, where);
  if (isObject(value)) return readAttributes(value, attribute.sub, `${where}.`);
  if (findAttribute(attribute.sub, 'value')) return { value: readText(value, where) };
  throw invalid(`${where}: must be an object`);
}

function readBoolean(value: unknown, where: string): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid(`${where}: must be true or false`);
}

function readText(value: unknown, where: string): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw invalid(`${where}: must be text`);
  }
  const text = String(value);
  if (text.length > maxText) throw invalid(`${where}: has more than ${maxText} characters`);
  return text;
}

/** True for JSON objects. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
