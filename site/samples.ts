import { type JsonSchema, referenceOf, type Schemas, withoutNull } from './json-schema.js';

/** Values of the samples, by the name of the field. They match the tutorial in `docs/getting-started.md`. */
const values: Readonly<Record<string, unknown>> = {
  account: 'local',
  accessSource: 'tenant',
  branchName: 'main',
  createdAt: '2026-03-01T09:00:00.000Z',
  description: 'Orders of all regions',
  email: 'ann@example.com',
  password: 'correct horse battery staple',
  currentPassword: 'correct horse battery staple',
  newPassword: 'eleven lively green cities',
  embedTenantName: 'acme',
  externalId: 'user-17',
  file: 'orders.csv',
  firstName: 'Ann',
  input: 'How many orders were there?',
  messageId: '1772355600000-message',
  name: 'Orders',
  publicId: 'OrdersTotal1',
  sessionId: '3f6c0c1e9a544c1b8f0e2b7d1a5c9e42',
  slug: 'orders',
  table: 'orders',
  timezone: 'Europe/Berlin',
  title: 'Orders',
  updatedAt: '2026-03-01T09:00:00.000Z',
  username: 'ann',
};

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const scimUser = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [{ value: 'ann@example.com', primary: true }],
};
const scimGroup = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName: 'sales',
  members: [{ value: '17' }],
};

/** Samples of whole requests for which a schema does not suffice to derive useful values, by operation id. */
const bodies: Readonly<Record<string, unknown>> = {
  addGroupMembers: { members: [{ externalId: 'user-17' }] },
  removeGroupMembers: { members: [{ externalId: 'user-17' }] },
  uploadFile: { transaction: '{"id":"3f6c0c1e"}', fileName: 'model/orders.yml', file: 'orders.yml' },
  finishUpload: {
    transaction: { id: '3f6c0c1e' },
    files: { 'model/orders.yml': { hash: '7ab5a1ea0e5f14d1ce3cfb6b5ebdcf8a8b8bc1e6' } },
  },
  applyContentBatch: {
    owner: 'default',
    placeholder: -1_000_000_000,
    steps: [
      { operation: 'createFolder', body: { name: 'Sales' }, creates: 'folder' },
      { operation: 'createFolder', body: { name: 'Regions', parentId: -1_000_000_000 }, creates: 'folder' },
    ],
  },
  updateOidcTokenConfig: { name: 'warehouse' },
  updateAppConfig: { embedding: { locale: 'en-GB' } },
  generateSqlV1: { query: { measures: ['orders.count'] } },
  loadV1: { query: { measures: ['orders.count'], dimensions: ['orders.status'] } },
  loadBatchV1: { requests: [{ query: { measures: ['orders.count'] } }, { query: { measures: ['orders.total'] } }] },
  sqlV1: { query: 'SELECT status, MEASURE(count) FROM orders GROUP BY 1' },
  runAgUi: {
    threadId: 'thread-1',
    runId: 'run-1',
    messages: [{ id: '1', role: 'user', content: 'How many orders were there?' }],
  },
  streamUiMessages: {
    id: 'thread-1',
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How many orders were there?' }] }],
  },
  streamChatState: {
    input: 'How many orders were there?',
    sessionSettings: { externalId: 'user-17', embedTenantName: 'acme', securityContext: { tenant: 'acme' } },
  },
  createScimUser: scimUser,
  replaceScimUser: scimUser,
  patchScimUser: { schemas: [patchUrn], Operations: [{ op: 'replace', path: 'active', value: false }] },
  createScimGroup: scimGroup,
  replaceScimGroup: scimGroup,
  patchScimGroup: { schemas: [patchUrn], Operations: [{ op: 'add', path: 'members', value: [{ value: '17' }] }] },
  generateSession: {
    deploymentId: 1,
    externalId: 'user-17',
    embedTenantName: 'acme',
    securityContext: { tenant: 'acme' },
  },
};

/** Samples of responses whose rows have no schema, by operation id. */
const responses: Readonly<Record<string, unknown>> = {
  loadV1: {
    query: { measures: ['orders.count'], dimensions: ['orders.status'], limit: 10_000, timezone: 'UTC' },
    data: [
      { 'orders.status': 'paid', 'orders.count': '240' },
      { 'orders.status': 'open', 'orders.count': '60' },
    ],
    annotation: {
      measures: { 'orders.count': { title: 'Orders Count', shortTitle: 'Count', type: 'number' } },
      dimensions: { 'orders.status': { title: 'Orders Status', shortTitle: 'Status', type: 'string' } },
      segments: {},
      timeDimensions: {},
    },
    lastRefreshTime: '2026-03-01T09:00:00.000Z',
  },
};

const maxDepth = 4;

/** Returns a valid body of an operation: its required fields, or its first field if none is required. */
export function bodySample(operationId: string, schema: JsonSchema, schemas: Schemas): unknown {
  return bodies[operationId] ?? sampleOf(schema, schemas, { isRequest: true });
}

/** Returns a response of an operation. */
export function responseSample(operationId: string, schema: JsonSchema, schemas: Schemas): unknown {
  return responses[operationId] ?? sampleOf(schema, schemas, { isRequest: false });
}

/** Returns a value of a schema. Requests contain required fields only, responses all fields. */
export function sampleOf(
  schema: JsonSchema,
  schemas: Schemas,
  { isRequest, name = '', depth = 0 }: { isRequest: boolean; name?: string; depth?: number },
): unknown {
  const plain = definition(withoutNull(schema), schemas);
  if ('const' in plain) return plain.const;
  if (plain.enum) return plain.enum[0];
  const [member] = plain.anyOf ?? plain.oneOf ?? [];
  if (member) return sampleOf(member, schemas, { isRequest, name, depth });
  const type = Array.isArray(plain.type) ? plain.type[0] : plain.type;
  if (type === 'array') return listSample(plain, schemas, { isRequest, name, depth });
  if (type === 'object' || plain.properties) return objectSample(plain, schemas, { isRequest, depth });
  return plainSample(plain, type, name);
}

function definition(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const reference = referenceOf(schema);
  const target = reference === null ? undefined : schemas[reference];
  return target ? definition(withoutNull(target), schemas) : schema;
}

function listSample(
  { items, prefixItems, minItems = 0 }: JsonSchema,
  schemas: Schemas,
  options: { isRequest: boolean; name: string; depth: number },
): unknown[] {
  const next = { ...options, name: options.name.replace(/s$/, ''), depth: options.depth + 1 };
  if (prefixItems) return prefixItems.map(item => sampleOf(item, schemas, next));
  const isEmpty = options.depth >= maxDepth && minItems === 0;
  return items && !isEmpty ? [sampleOf(items, schemas, next)] : [];
}

function objectSample(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Schemas,
  { isRequest, depth }: { isRequest: boolean; depth: number },
): unknown {
  const names = Object.keys(properties);
  const shown = depth >= maxDepth || isRequest ? required : names;
  // A request without required fields sets one, so that the sample does something.
  const selected = isRequest && depth === 0 && required.length === 0 ? firstUseful(names) : shown;
  return Object.fromEntries(
    selected.flatMap(name => {
      const value = properties[name];
      return value ? [[name, sampleOf(value, schemas, { isRequest, name, depth: depth + 1 })]] : [];
    }),
  );
}

const firstUseful = (names: readonly string[]): readonly string[] =>
  names.includes('name') ? ['name'] : names.slice(0, 1);

function plainSample(schema: JsonSchema, type: string | undefined, name: string): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type !== 'string') return null;
  if (schema.pattern?.includes('{12}')) return values.publicId;
  return values[name] ?? 'text';
}
