import type { OperationShape } from '../../../src/contract/operation.js';
import fc from '../../property.js';
import { bodySchema, described, type JsonSchema, resolved } from './described.js';
import { pathOf, type Sent } from './world.js';

/** A hostile request, which is valid except for one or two values. */
export interface Attack {
  /** Describes the change. */
  readonly name: string;
  /** The changed fields, at least one of which an error names; empty if the request as a whole is invalid. */
  readonly fields: readonly string[];
  readonly path: string;
  readonly text: string | undefined;
  /** The body, if it is JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** The changed query parameter. */
  readonly parameter?: readonly [name: string, text: string];
}

type Json = Record<string, unknown>;
type Place = readonly string[];

const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);

const texts: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '2147483648',
  '999999999999999999999',
  "'; drop table reports; --",
  '1 or 1=1',
  '" or ""="',
  '$1',
  '\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202egnp.exe',
  '😀'.repeat(40),
  'İ'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(70_000),
  '../../etc/passwd',
  '%00',
  '__proto__',
  'constructor',
  'system:tenant:acme',
  'All',
  '2024-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '{"a":',
];

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e300,
  [],
  [[]],
  [null],
  {},
  { length: -1 },
  { toString: null },
  { $gt: '' },
  JSON.parse('{"__proto__": {"isAdmin": true}}'),
  JSON.parse('{"constructor": {"prototype": {"isAdmin": true}}}'),
  Array.from({ length: 3_000 }, (_, index) => index),
  Array.from({ length: 3_000 }, () => 'x'),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key_${index}`, index])),
  deep(50),
  deep(500),
];

/** Encoded replacements for a path parameter. Segments of dots only are omitted, because clients normalize URLs. */
const segments: readonly string[] = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '999999999999999',
  '99999999999999999999',
  '%00',
  '%2F',
  '..%2F..%2Fdeployments',
  '%252e%252e',
  '%',
  '%zz',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '1%20or%201%3D1',
  "'%3B%20drop%20table%20reports%3B--",
  '__proto__',
  'constructor',
  '%0d%0aset-cookie:%20a=b',
  'x'.repeat(2_000),
  'NaN',
  '%20',
];

/**
 * Returns true for a valid tenant name. Such segments are not attacks, because another request can create the tenant.
 */
const isTenantName = (segment: string): boolean => /^[a-z][a-z0-9-]{0,34}[a-z0-9]$/i.test(segment);

const extraKeys = ['nonsense', 'isAdmin', 'constructor', 'toString', '__proto__'];
/** Creates a record with one own key, even `__proto__`. */
const own = (key: string, value: unknown): Json => JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`);

/** Returns the paths of all values that a schema describes, up to four levels deep. */
function placesOf(schema: JsonSchema, place: Place = []): Place[] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = resolved(schema) as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: readonly JsonSchema[];
  };
  const inner = [
    ...Object.entries(properties).map(([name, each]) => [[...place, name], each] as const),
    ...(items ? [[[...place, '0'], items] as const] : []),
  ];
  if (place.length >= 4) return [];
  return [
    ...inner.flatMap(([at, each]) => [at, ...placesOf(each, at)]),
    ...anyOf.flatMap(each => placesOf(each, place)),
  ];
}

/** Returns the paths of all nested values. */
function placesIn(value: unknown, place: Place = []): Place[] {
  return Object.entries(Object(typeof value === 'string' ? null : value)).flatMap(([name, each]) => [
    [...place, name],
    ...placesIn(each, [...place, name]),
  ]);
}

/** Returns a copy with a different value at a path. Creates missing parents. */
function replaced(value: unknown, [first, ...rest]: Place, by: unknown): unknown {
  if (first === undefined) return by;
  if (/^\d+$/.test(first)) {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    list[Number(first)] = replaced(list[Number(first)], rest, by);
    return list;
  }
  const record = Array.isArray(value) ? {} : Object(value);
  return { ...record, [first]: replaced(record[first], rest, by) };
}

/** Generates hostile requests to an operation from its schemas and a valid request. */
export function attacksOn(operation: OperationShape, sent: Sent): fc.Arbitrary<Attack> {
  const kinds = [
    ...attacksOnBody(operation, sent),
    ...attacksOnQuery(operation, sent),
    ...attacksOnPath(operation, sent),
  ];
  return fc.oneof(...kinds);
}

interface Change {
  readonly place: Place;
  readonly by: unknown;
}

/** Generates a new value at a random path. */
function changeOf(places: readonly Place[], by: fc.Arbitrary<unknown>): fc.Arbitrary<Change> {
  return fc.record({ place: fc.constantFrom(...places), by });
}

function attacksOnBody(operation: OperationShape, sent: Sent): fc.Arbitrary<Attack>[] {
  const schema = bodySchema(operation);
  if (!schema) return [];
  const path = pathOf(operation, sent);
  const body = Object(sent.body ?? {});
  const withBody = (name: string, fields: readonly string[], changed: unknown): Attack => ({
    name: `${name}: ${JSON.stringify(changed).slice(0, 300)}`,
    fields,
    path,
    text: JSON.stringify(changed),
    body: changed,
  });
  const places = [...placesOf(schema), ...placesIn(body)];
  const { required = [] } = resolved(schema) as { required?: readonly string[] };
  const raw = (name: string, text: string, contentType = 'application/json'): Attack => ({
    name,
    fields: [],
    path,
    text,
    contentType,
  });
  const hostile = fc.constantFrom(...values, ...texts);
  const whole = [null, true, 7, 'x', [], [body]];
  return [
    ...(places.length === 0
      ? []
      : [
          fc.tuple(changeOf(places, hostile)),
          fc.tuple(changeOf(places, fc.jsonValue({ maxDepth: 2 }))),
          fc.tuple(changeOf(places, hostile), changeOf(places, hostile)),
        ].map(changes =>
          changes.map((list: readonly Change[]) => {
            const changed = list.reduce<unknown>((before, { place, by }) => replaced(before, place, by), body);
            const fields = list.map(({ place }) => place[0] ?? '');
            return withBody(list.map(({ place }) => `body.${place.join('.')}`).join(' and '), fields, changed);
          }),
        )),
    ...(required.length === 0
      ? []
      : [
          fc
            .constantFrom(...required)
            .map(key =>
              withBody(`no ${key}`, [key], Object.fromEntries(Object.entries(body).filter(([k]) => k !== key))),
            ),
        ]),
    fc.constantFrom(...extraKeys).map(key => withBody(`extra ${key}`, [key], { ...body, ...own(key, { a: 1 }) })),
    fc.oneof(
      fc.constantFrom(...whole).map(each => withBody('another body', ['body'], each)),
      fc.constantFrom('{"a":', '{', 'name=x', "{'a': 1}", '[1,').map(text => raw('broken JSON', text)),
      fc
        .constantFrom('text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx')
        .map(type => raw(type, JSON.stringify(body), type)),
    ),
  ];
}

function attacksOnQuery(operation: OperationShape, sent: Sent): fc.Arbitrary<Attack>[] {
  const text = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const names = described(operation).parameters.flatMap(each => (each.in === 'query' ? [each.name] : []));
  if (names.length === 0) return [];
  const attack = (name: string, value: string): Attack => {
    const query = { ...Object(sent.query), ...own(name, value) };
    return {
      name: `query.${name}=${value.slice(0, 100)}`,
      fields: [name],
      path: pathOf(operation, { ...sent, query }),
      text,
      body: sent.body,
      parameter: [name, value],
    };
  };
  const short = texts.filter(each => each.length <= 1_000 && !/\p{Surrogate}/u.test(each));
  return [
    fc.tuple(fc.constantFrom(...names), fc.constantFrom(...short)).map(([name, value]) => attack(name, value)),
    fc.constantFrom(...extraKeys).map(name => attack(name, '1')),
  ];
}

function attacksOnPath(operation: OperationShape, sent: Sent): fc.Arbitrary<Attack>[] {
  const text = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const names = Object.keys(Object(sent.params));
  if (names.length === 0) return [];
  const attack = (field: string, segment: string): Attack => {
    const mark = '0123456789marked';
    const path = pathOf(operation, { ...sent, params: { ...Object(sent.params), [field]: mark } });
    return {
      name: `path.${field}=${segment.slice(0, 100)}`,
      fields: [field],
      path: path.replace(mark, () => segment),
      text,
      body: sent.body,
    };
  };
  return names.map(field => {
    const wrong = segments.filter(each => field !== 'embedTenantName' || !isTenantName(each));
    return fc.constantFrom(...wrong).map(segment => attack(field, segment));
  });
}
