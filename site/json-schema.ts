/** A schema of the OpenAPI document. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Schemas of a document, by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** A field of an object, as the site shows it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  /** Name of the schema that describes the value; `null` if `type` is sufficient. */
  readonly schema: string | null;
  readonly isRequired: boolean;
  /** Limits of the value, such as "at most 255 characters". */
  readonly limits: readonly string[];
  /** The comment of the field, as HTML. */
  readonly html: string;
  readonly fields: readonly Field[];
}

/** Maximum nesting depth of objects on a page. */
const maxDepth = 4;
/**
 * Maximum number of values that a type lists. Longer enumerations show the base type, and list the values as a limit.
 */
const maxInlineValues = 4;

/** Returns the name that a reference points to; `null` for other schemas. */
export const referenceOf = ({ $ref }: JsonSchema): string | null => $ref?.split('/').at(-1) ?? null;

/** Lists the fields of a schema: of the object itself, of the items of a list, or of the only object of a union. */
export function fieldsOf(
  schema: JsonSchema,
  { depth = 0, describe = () => '' }: { readonly depth?: number; readonly describe?: (name: string) => string } = {},
): Field[] {
  if (depth >= maxDepth) return [];
  const { properties, required = [] } = objectOf(schema) ?? {};
  return Object.entries(properties ?? {}).map(([name, value]) =>
    fieldOf(name, value, { isRequired: required.includes(name), depth, html: describe(name) }),
  );
}

/** Describes one value, such as a parameter. */
export function fieldOf(
  name: string,
  schema: JsonSchema,
  {
    isRequired,
    depth = 0,
    html = '',
  }: { readonly isRequired: boolean; readonly depth?: number; readonly html?: string },
): Field {
  return {
    name,
    type: typeOf(schema),
    schema: schemaOf(schema),
    isRequired,
    limits: limitsOf(withoutNull(schema)),
    html,
    fields: fieldsOf(schema, { depth: depth + 1 }),
  };
}

/** Formats the type of a schema in TypeScript notation. */
export function typeOf(schema: JsonSchema): string {
  const reference = referenceOf(schema);
  if (reference !== null) return displayName(reference);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.length > maxInlineValues ? 'string' : schema.enum.map(quoted).join(' | ');
  const members = membersOf(schema);
  if (members) return [...new Set(members.map(typeOf))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return listType(schema);
  if (schema.type === 'object') return objectType(schema);
  return typeof schema.type === 'string' ? schema.type : 'any';
}

/** Removes the suffix of request schemas. */
export const displayName = (name: string): string => name.replace(/(?<=.)Input$/, '');

const membersOf = ({ anyOf, oneOf, allOf }: JsonSchema): readonly JsonSchema[] | undefined => anyOf ?? oneOf ?? allOf;

const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

function listType({ items, prefixItems }: JsonSchema): string {
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`;
  const type = items ? typeOf(items) : 'any';
  return type.includes(' ') ? `(${type})[]` : `${type}[]`;
}

function objectType({ properties = {}, additionalProperties }: JsonSchema): string {
  const isMap = Object.keys(properties).length === 0 && typeof additionalProperties === 'object';
  if (!isMap) return 'object';
  const type = typeOf(additionalProperties);
  return type === 'any' ? 'object' : `{ [name]: ${type} }`;
}

/** Removes `null` from a union of one schema and `null`. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const members = membersOf(schema)?.filter(({ type }) => type !== 'null');
  return members?.length === 1 && members[0] ? withoutNull(members[0]) : schema;
}

function objectOf(schema: JsonSchema): JsonSchema | null {
  const plain = withoutNull(schema);
  if (plain.properties) return plain;
  if (plain.type === 'array' && plain.items) return objectOf(plain.items);
  if (typeof plain.additionalProperties === 'object') return objectOf(plain.additionalProperties);
  const objects = (membersOf(plain) ?? []).filter(({ properties }) => properties);
  return objects.length === 1 ? (objects[0] ?? null) : null;
}

/** Finds the one named schema in a value: the value, its items, or a member of its union. */
function schemaOf(schema: JsonSchema): string | null {
  const plain = withoutNull(schema);
  const nested = [plain.items, ...(membersOf(plain) ?? [])].filter(each => each !== undefined);
  if (typeof plain.additionalProperties === 'object') nested.push(plain.additionalProperties);
  return referenceOf(plain) ?? nested.map(schemaOf).find(name => name !== null) ?? null;
}

function limitsOf(schema: JsonSchema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, format } = schema;
  const isSafe = (limit: number | undefined): boolean =>
    limit !== undefined && Math.abs(limit) !== Number.MAX_SAFE_INTEGER;
  return [
    'default' in schema ? `default: ${JSON.stringify(schema.default)}` : '',
    schema.enum && schema.enum.length > maxInlineValues ? schema.enum.map(quoted).join(', ') : '',
    range(minLength, maxLength, 'characters'),
    range(isSafe(minimum) ? minimum : undefined, isSafe(maximum) ? maximum : undefined, ''),
    range(minItems, maxItems, 'items'),
    format === undefined ? '' : `format ${format}`,
    pattern === undefined || format !== undefined ? '' : `matches ${pattern}`,
  ].filter(Boolean);
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const show = (limit: number): string => `${limit.toLocaleString('en-US')} ${unit}`.trim();
  if (min !== undefined && max !== undefined) return `${min.toLocaleString('en-US')} to ${show(max)}`;
  if (max !== undefined) return `at most ${show(max)}`;
  return min === undefined ? '' : `at least ${show(min)}`;
}
