import '../../../src/contract/messages.js';
import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeAll, expect, it } from 'vitest';
import type { MetaResponse } from '../../../src/contract/meta.js';
import type { Query } from '../../../src/contract/query.js';
import type { SecurityContext } from '../../../src/platform/auth/principal.js';
import type { SemanticModel } from '../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../src/platform/errors.js';
import fc from '../../property.js';
import { compile, openDatabase, rowsOf } from './model/fixture.js';

// Random policies of a cube and a view, random callers, and an independent implementation of the documented rules for
// the eight rows of the fixture.

type Value = string | number | boolean | null;

/** Columns of the fixture's rows that policies use. */
const rows: readonly Readonly<Record<string, Value>>[] = [
  { id: 1, tenant: 'a', region: 'north', amount: 10, paid: true },
  { id: 2, tenant: 'a', region: 'North-East', amount: 20, paid: false },
  { id: 3, tenant: 'a', region: null, amount: 30, paid: null },
  { id: 4, tenant: 'a', region: '50%_off\\', amount: null, paid: true },
  { id: 5, tenant: 'b', region: 'south', amount: 50, paid: true },
  { id: 6, tenant: 'b', region: 'north', amount: 60, paid: false },
  { id: 7, tenant: 'b', region: '', amount: 70, paid: true },
  { id: 8, tenant: 'b', region: 'it\'s "x"', amount: 80, paid: true },
];
const types = { id: 'number', tenant: 'string', region: 'string', amount: 'number', paid: 'boolean' } as const;
type Member = keyof typeof types;
const members = Object.keys(types) as Member[];

interface Condition {
  readonly member: Member;
  readonly operator: string;
  readonly values?: readonly unknown[];
}
type Rule = Condition | { readonly and: readonly Rule[] } | { readonly or: readonly Rule[] };
interface Policy {
  readonly group?: string;
  readonly groups?: readonly string[];
  readonly conditions?: readonly { readonly if: unknown }[];
  readonly member_level?: { readonly includes?: '*' | readonly Member[]; readonly excludes?: readonly Member[] };
  readonly row_level: { readonly allow_all: true } | { readonly filters: readonly Rule[] };
}

const groups = ['team', 'finance', 'system:tenant:acme:group:team', 'system:tenant:globex:group:team'];
const texts = ['a', 'b', 'north', 'NORTH', 'north-east', '%', '\\', "it's", 'ort'];
const references = [
  '{ userAttributes.text }',
  '{ userAttributes.number }',
  '{ userAttributes.flag }',
  '{ securityContext.tenant }',
  '{ securityContext.platform.userAttributes.text }',
  '{ securityContext.nested.text }',
  '{ securityContext.toString }',
];

const reference = fc.constantFrom(...references);
const values = (own: fc.Arbitrary<unknown>, maxLength: number) =>
  fc.array(fc.oneof({ weight: 2, arbitrary: own }, { weight: 3, arbitrary: reference }), { minLength: 1, maxLength });
const record = (names: readonly Member[], operators: readonly string[], given: fc.Arbitrary<unknown[]>) =>
  fc.record({ member: fc.constantFrom(...names), operator: fc.constantFrom(...operators), values: given });
const textOperators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
];

const condition: fc.Arbitrary<Condition> = fc.oneof(
  record(['tenant', 'region'], textOperators, values(fc.constantFrom(...texts), 2)),
  record(['amount', 'id'], ['equals', 'notEquals'], values(fc.constantFrom(1, 20, '30', 50.5), 2)),
  record(['amount', 'id'], ['gt', 'gte', 'lt', 'lte'], values(fc.constantFrom(1, 20, '30', 50.5), 1)),
  record(['paid'], ['equals', 'notEquals'], values(fc.boolean(), 2)),
  fc.record({ member: fc.constantFrom(...members), operator: fc.constantFrom('set', 'notSet') }),
);

const rule = fc.letrec<{ rule: Rule }>(tie => ({
  rule: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: condition },
    { weight: 1, arbitrary: fc.record({ and: fc.array(tie('rule'), { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ or: fc.array(tie('rule'), { minLength: 1, maxLength: 2 }) }) },
  ),
})).rule;

const someMembers = fc.subarray(members, { maxLength: 2 });
const largeSubset = fc.subarray(members, { minLength: 3 });
const policy: fc.Arbitrary<Policy> = fc
  .record({
    whom: fc.oneof(
      fc.constantFrom('*', '*', ...groups).map(group => ({ group })),
      fc.subarray(groups, { minLength: 1 }).map(some => ({ groups: some })),
    ),
    rest: fc.record(
      {
        conditions: fc.array(
          fc.record({
            if: fc.oneof(fc.constant(true), fc.constantFrom('{ userAttributes.flag }', '{ userAttributes.text }')),
          }),
          { maxLength: 1 },
        ),
        member_level: fc.oneof(
          fc.record({ includes: fc.oneof(fc.constant('*' as const), largeSubset) }),
          fc.record({ excludes: someMembers }),
          fc.record({ includes: largeSubset, excludes: someMembers }),
        ),
      },
      { requiredKeys: [] },
    ),
    row_level: fc.oneof(
      { weight: 1, arbitrary: fc.constant({ allow_all: true as const }) },
      { weight: 4, arbitrary: fc.record({ filters: fc.array(rule, { minLength: 1, maxLength: 2 }) }) },
    ),
  })
  .map(({ whom, rest, row_level }) => ({ ...whom, ...rest, row_level }));

const someone: fc.Arbitrary<SecurityContext> = fc.record({
  tenant: fc.constantFrom<unknown>('a', 'b', '', null, ['a', 'b'], [], 7),
  nested: fc.constantFrom<unknown>({ text: 'north' }, ['north'], null),
  platform: fc.record({
    groups: fc.subarray(groups),
    userAttributes: fc.record(
      {
        text: fc.constantFrom<unknown>('north', ['a', 'ort'], ['a', ''], ['a', null], '', [], null, 20, true),
        number: fc.constantFrom<unknown>(20, '20', 50.5, [20, 30], [20, 'x'], 'x', null, [], true),
        flag: fc.constantFrom<unknown>(true, false, 'true', 'yes', 1, [true], null),
      },
      { requiredKeys: [] },
    ),
  }),
});

/** Returns the value at a path of own keys, if it exists. */
function lookUp(path: readonly string[], from: unknown): unknown {
  let at = from;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function resolved(value: unknown, context: SecurityContext): unknown {
  const path = typeof value === 'string' ? /^\{ (.+) \}$/.exec(value)?.[1]?.split('.') : undefined;
  if (path === undefined) return value;
  const [root, ...rest] = path;
  return lookUp(root === 'userAttributes' ? ['platform', 'userAttributes', ...rest] : rest, context);
}

/** Returns the value converted to the member's type; `undefined` if it has another type. */
function fitting(member: Member, value: unknown): Value | undefined {
  switch (types[member]) {
    case 'string':
      return typeof value === 'string' && value !== '' ? value : undefined;
    case 'number':
      return typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
        ? Number(value)
        : undefined;
    case 'boolean':
      return [true, false].find(truth => value === truth || value === String(truth));
  }
}

type Row = (typeof rows)[number];
type Test = (row: Row) => boolean;

/** Returns the test of the rows that a rule accepts for this caller; `undefined` if the caller lacks a valid value. */
function testOf(given: Rule, context: SecurityContext): Test | undefined {
  if ('member' in given) return testOfCondition(given, context);
  const parts = ('and' in given ? given.and : given.or).map(part => testOf(part, context));
  if (parts.some(part => part === undefined)) return undefined;
  const tests = parts.flatMap(part => part ?? []);
  return 'and' in given ? row => tests.every(test => test(row)) : row => tests.some(test => test(row));
}

function testOfCondition(
  { member, operator, values: given = [] }: Condition,
  context: SecurityContext,
): Test | undefined {
  if (operator === 'set') return row => row[member] !== null;
  if (operator === 'notSet') return row => row[member] === null;
  const all = given.flatMap(value => {
    const found = resolved(value, context);
    return Array.isArray(found) && found.length > 0 ? found : [Array.isArray(found) ? undefined : found];
  });
  const fit = all.map(value => fitting(member, value));
  if (fit.some(value => value === undefined)) return undefined;
  const isComparison = ['gt', 'gte', 'lt', 'lte'].includes(operator);
  if (isComparison && fit.length !== 1) return undefined;
  return row => {
    const cell = row[member] ?? null;
    const negative = operator.startsWith('not');
    if (cell === null) return negative;
    return fit.some(value => matches(operator, cell, value ?? null)) !== negative;
  };
}

function matches(operator: string, cell: Value, value: Value): boolean {
  const [text, part] = [String(cell).toLowerCase(), String(value).toLowerCase()];
  switch (operator.replace(/^not./, letter => letter.slice(3).toLowerCase())) {
    case 'equals':
      return cell === value;
    case 'contains':
      return text.includes(part);
    case 'startsWith':
      return text.startsWith(part);
    case 'endsWith':
      return text.endsWith(part);
    case 'gt':
      return Number(cell) > Number(value);
    case 'gte':
      return Number(cell) >= Number(value);
    case 'lt':
      return Number(cell) < Number(value);
    case 'lte':
      return Number(cell) <= Number(value);
    default:
      throw new Error(`no second opinion on ${operator}`);
  }
}

/** A policy that matches a caller: its members and rows. */
interface Opened {
  readonly members: ReadonlySet<string>;
  readonly test: Test;
}

function opened(policies: readonly Policy[], context: SecurityContext): Opened[] {
  return policies.flatMap(({ group, groups: named = [], conditions = [], member_level = {}, row_level }) => {
    const whom = group === undefined ? named : [group];
    if (!whom.some(one => one === '*' || context.platform.groups.includes(one))) return [];
    if (conditions.some(one => resolved(one.if, context) !== true)) return [];
    const test = 'allow_all' in row_level ? () => true : testOf({ and: row_level.filters }, context);
    if (test === undefined) return [];
    const { includes = '*', excludes = [] } = member_level;
    const open = (includes === '*' ? members : includes).filter(name => !excludes.includes(name));
    return [{ members: new Set<string>(open), test }];
  });
}

/**
 * Returns the IDs of rows that a query of these members returns; `undefined` if a member doesn't exist for the caller.
 */
function expectedIds(sides: readonly (readonly Opened[])[], named: readonly Member[]): number[] | undefined {
  const isOpen = (name: Member) => sides.every(side => side.some(one => one.members.has(name)));
  if (!named.every(isOpen)) return undefined;
  const mayRead = (row: Row) =>
    sides.every(side => named.every(name => side.some(one => one.members.has(name) && one.test(row))));
  return rows.filter(mayRead).map(row => Number(row.id));
}

/** Policies of a cube and of a view over it. */
interface Pair {
  readonly cube: readonly Policy[];
  readonly view: readonly Policy[];
}

/** Returns a model with several pairs, because compiling six pairs takes as long as compiling one. */
function modelText(pairs: readonly Pair[]): string {
  const key = (name: Member) => (name === 'id' ? ', primary_key: true, public: true' : '');
  const dimensions = members.map(name => `{ name: ${name}, sql: ${name}, type: ${types[name]}${key(name)} }`);
  const cubes = pairs.map(
    ({ cube }, index) =>
      `  - { name: orders_${index}, sql_table: orders, dimensions: [${dimensions.join(', ')}], access_policy: ${JSON.stringify(cube)} }`,
  );
  const views = pairs.map(
    ({ view }, index) =>
      `  - { name: sales_${index}, cubes: [{ join_path: orders_${index}, includes: [${members.join(', ')}] }], access_policy: ${JSON.stringify(view)} }`,
  );
  return ['cubes:', ...cubes, 'views:', ...views, ''].join('\n');
}

let database: DuckDBConnection;

beforeAll(async () => {
  database = await openDatabase();
});

interface Question {
  readonly context: SecurityContext;
  readonly side: 'orders' | 'sales';
  readonly others: readonly Member[];
  readonly filtered: Member | undefined;
}

const question: fc.Arbitrary<Question> = fc.record({
  context: someone,
  side: fc.constantFrom('orders', 'sales'),
  others: fc.subarray(
    members.filter(name => name !== 'id'),
    { maxLength: 2 },
  ),
  filtered: fc.option(fc.constantFrom<Member>('region', 'amount'), { nil: undefined, freq: 3 }),
});

function queryOf({ others, filtered }: Question, entity: string): Query {
  const dimensions = ['id', ...others].map(name => `${entity}.${name}`);
  if (filtered === undefined) return { dimensions };
  const member = `${entity}.${filtered}`;
  return {
    dimensions,
    filters: [
      {
        or: [
          { member, operator: 'set' },
          { member, operator: 'notSet' },
        ],
      },
    ],
  };
}

/** Returns the IDs of rows that a caller gets; `undefined` if the query is rejected. */
async function idsOf(model: SemanticModel, query: Query, context: SecurityContext): Promise<number[] | undefined> {
  try {
    const found = await rowsOf(database, model, query, context);
    return found.map(([id]) => Number(id)).sort((a, b) => a - b);
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return undefined;
    throw error;
  }
}

it('grants callers exactly the rows and members of their policies', async () => {
  const counts = { rows: 0, none: 0, refused: 0 };
  const policies = fc.array(policy, { minLength: 1, maxLength: 4 });
  const pairs = fc.array(fc.record({ cube: policies, view: policies }), { minLength: 6, maxLength: 6 });
  const questions = fc.array(question, { minLength: 300, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(pairs, questions, async (some, queries) => {
      const model = await compile(modelText(some));
      for (const [index, one] of queries.entries()) {
        const { cube, view } = some[index % some.length] ?? { cube: [], view: [] };
        const { context, side, others, filtered } = one;
        const cubeSide = opened(cube, context);
        const sides = side === 'orders' ? [cubeSide] : [opened(view, context), cubeSide];
        const query = queryOf(one, `${side}_${index % some.length}`);
        const ids = await idsOf(model, query, context);
        const expected = expectedIds(sides, ['id', ...others, ...(filtered === undefined ? [] : [filtered])]);
        expect({ ids, query, context, cube, view }).toEqual({ ids: expected, query, context, cube, view });
        expectMeta(model.meta(context), `${side}_${index % some.length}`, sides);
        const kept = ids?.length === 0 ? 'none' : 'rows';
        counts[ids === undefined ? 'refused' : kept] += 1;
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
  // The test is meaningful only if callers see enough rows.
  expect(counts.rows).toBeGreaterThan(30);
  expect(counts.none).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(30);
});

/** Describes the members that the model grants. */
function expectMeta(meta: MetaResponse, entity: string, sides: readonly (readonly Opened[])[]): void {
  const described = meta.cubes.find(({ name }) => name === entity)?.dimensions.map(({ name }) => name) ?? [];
  const open = members.filter(name => sides.every(side => side.some(one => one.members.has(name))));
  expect([...described].sort()).toEqual(open.map(name => `${entity}.${name}`).sort());
}
