import type { Dice } from './dice.js';
import { blowUps, elsewhere, probes } from './hostile-statements.js';
import { mutated } from './mutate.js';
import { soundSql } from './sound-sql.js';
import { tenantCubes } from './tenant-cubes.js';

/** Members hidden from all callers of these tests, and an unknown one. */
const hiddenMembers = {
  orders: ['secret', 'internal', 'leaked', 'guarded', 'hoard'],
  sales: ['secret', 'hoard', 'internal'],
  items: ['id'],
} as const;
const hiddenCubes = ['vault', 'vault_view'] as const;

/** Every position of a member; `M` is the member, `C` its cube. */
const memberPlaces = [
  'SELECT M FROM C',
  'SELECT C.M FROM C',
  'SELECT x.M FROM C x',
  'SELECT "M" FROM "C"',
  'SELECT tenant, M AS tenant FROM C',
  'SELECT MEASURE(M) FROM C',
  'SELECT MEASURE(C.M) FROM C',
  'SELECT MAX(M) FROM C',
  'SELECT SUM(M), COUNT(*) FROM C',
  'SELECT COUNT(DISTINCT M) FROM C',
  'SELECT MEASURE(count) FROM C GROUP BY M',
  'SELECT M, MEASURE(count) FROM C GROUP BY 1',
  'SELECT UPPER(M), MEASURE(count) FROM C GROUP BY UPPER(M)',
  `SELECT tenant FROM C WHERE M = 'tenant_a secret'`,
  'SELECT tenant FROM C WHERE M IS NOT NULL',
  `SELECT tenant FROM C WHERE M LIKE 'tenant_a s%'`,
  'SELECT MEASURE(count) FROM C WHERE M IS NULL',
  'SELECT MEASURE(count) FROM C WHERE tenant = M',
  `SELECT tenant FROM C GROUP BY tenant HAVING MAX(M) > 'a'`,
  'SELECT tenant FROM C GROUP BY tenant HAVING MEASURE(M) IS NOT NULL',
  'SELECT tenant FROM C ORDER BY M',
  'SELECT tenant, MEASURE(count) FROM C GROUP BY 1 ORDER BY MAX(M)',
  'SELECT COUNT(*) FILTER (WHERE M IS NULL) FROM C',
  `SELECT STRING_AGG(M, ',' ORDER BY M) FROM C`,
  'SELECT RANK() OVER (ORDER BY M) FROM C',
  'SELECT COUNT(*) OVER (PARTITION BY M) FROM C',
  'SELECT COUNT(*) OVER w FROM C WINDOW w AS (PARTITION BY M)',
  'SELECT FIRST_VALUE(M) OVER (ORDER BY tenant) FROM C',
  'SELECT CASE WHEN M IS NULL THEN 1 ELSE 2 END FROM C',
  `SELECT CASE M WHEN 'a' THEN 1 END FROM C`,
  'SELECT COALESCE(NULL, M) FROM C',
  'SELECT (SELECT MAX(M) FROM C) AS x',
  'SELECT (SELECT MAX(y.M) FROM C y WHERE y.tenant = x.tenant) FROM C x',
  'SELECT tenant FROM C x WHERE EXISTS (SELECT 1 FROM customers c WHERE c.name = x.M)',
  'SELECT tenant FROM customers WHERE tenant IN (SELECT M FROM C)',
  'SELECT tenant FROM C WHERE EXISTS (SELECT M FROM customers)',
  'SELECT x.M FROM (SELECT * FROM C) x',
  'SELECT M FROM (SELECT C.* FROM C) x',
  'WITH C AS (SELECT * FROM C) SELECT M FROM C',
  'WITH x AS (SELECT M FROM C) SELECT 1',
  'SELECT x.a FROM (SELECT M FROM C) AS x(a)',
  'SELECT a.tenant FROM C a JOIN C b ON a.M = b.M',
  'SELECT a.tenant FROM C a JOIN C b USING (M)',
  'SELECT tenant FROM C UNION SELECT M FROM C',
  'SELECT DISTINCT ON (M) tenant FROM C',
  'SELECT DISTINCT M FROM C',
  `SELECT tenant FROM C WHERE (tenant, M) = ('a', 'b')`,
  'SELECT M::text FROM C',
  'SELECT CAST(M AS integer) FROM C',
  `SELECT DATE_TRUNC('month', M) FROM C`,
  'SELECT (C).M FROM C',
  'SELECT (x).M FROM C x',
  'SELECT C.M.x FROM C',
  'SELECT public.C.M FROM C',
  'SELECT tenant FROM C WHERE M',
  'SELECT tenant FROM C LIMIT (SELECT COUNT(M) FROM C)',
  'SELECT M FROM customers',
  'SELECT C.M FROM customers',
  'SELECT tenant AS M FROM C ORDER BY M',
  'SELECT tenant AS M, COUNT(*) FROM C GROUP BY M',
  'SELECT 1 FROM C WHERE tenant IS NULL OR M IS NOT NULL AND 1 / 0 = 1',
];

/** Every position of a table; `T` is the cube. */
const tablePlaces = [
  'SELECT * FROM T',
  'SELECT 1 FROM T',
  'SELECT COUNT(*) FROM T',
  'SELECT MEASURE(count) FROM T',
  'SELECT secret FROM T',
  'SELECT T.secret FROM T',
  'SELECT T.secret FROM orders',
  'SELECT MEASURE(T.count) FROM orders',
  'SELECT o.tenant FROM orders o, T',
  'SELECT o.tenant FROM orders o JOIN T ON T.id = o.id',
  'SELECT o.tenant FROM orders o NATURAL JOIN T',
  'SELECT o.tenant FROM orders o LEFT JOIN T v USING (id)',
  'SELECT tenant FROM orders WHERE id IN (SELECT id FROM T)',
  'SELECT tenant FROM orders WHERE EXISTS (SELECT 1 FROM T)',
  'SELECT (SELECT MAX(secret) FROM T)',
  'SELECT tenant FROM orders UNION SELECT secret FROM T',
  'SELECT tenant FROM orders EXCEPT SELECT secret FROM T',
  'WITH x AS (SELECT * FROM T) SELECT * FROM x',
  'WITH x AS (SELECT * FROM T) SELECT COUNT(*) FROM orders',
  'WITH orders AS (SELECT * FROM T) SELECT * FROM orders',
  'WITH T AS (SELECT * FROM T) SELECT * FROM T',
  'WITH T AS (SELECT tenant AS secret FROM orders) SELECT COUNT(secret) AS n FROM T',
  'WITH T AS (SELECT 1 AS a) SELECT * FROM T',
  'SELECT * FROM (WITH T AS (SELECT 2 AS a) SELECT a FROM T) x, T',
  'WITH x AS (SELECT * FROM T), T AS (SELECT 1 AS a) SELECT * FROM x',
  'SELECT tenant, COUNT(*) FROM orders AS T GROUP BY T.tenant',
  'SELECT T.* FROM orders T ORDER BY 1',
  'SELECT T FROM orders',
  'SELECT T.* FROM orders',
  'SELECT * FROM public.T',
  'SELECT * FROM "T"',
  'TABLE T',
  'SELECT id FROM orders FOR UPDATE OF T',
];

/** A statement, and how its result can be compared. */
export interface Hostile {
  readonly text: string;
  readonly kind: 'sound' | 'hidden' | 'probe' | 'elsewhere' | 'blow-up' | 'spoilt' | 'odd';
  /** Whether the statement determines which rows are returned. */
  readonly settled: boolean;
}

const memberIn = (place: string, cube: string, member: string): string =>
  place.replaceAll(/\bM\b/g, member).replaceAll(/\bC\b/g, cube);
const tableIn = (place: string, cube: string): string => place.replaceAll(/\bT\b/g, cube);

/** Returns a statement that uses a hidden name. */
function hidden(dice: Dice): string {
  if (dice.once(3)) return varySpelling(dice, tableIn(dice.pick(tablePlaces), dice.pick(hiddenCubes)));
  const cube = dice.of('orders', 'orders', 'sales', 'items');
  return varySpelling(dice, memberIn(dice.pick(memberPlaces), cube, dice.pick(hiddenMembers[cube])));
}

/** Returns all listed attacks, once for each hidden name. */
export function everyTrick(): Hostile[] {
  const members = Object.entries(hiddenMembers).flatMap(([cube, names]) =>
    names.flatMap(member => memberPlaces.map(place => memberIn(place, cube, member))),
  );
  const tables = hiddenCubes.flatMap(cube => tablePlaces.map(place => tableIn(place, cube)));
  return [
    ...[...members, ...tables].map(text => ({ kind: 'hidden', text, settled: false }) as const),
    ...probes.map(text => ({ kind: 'probe', text, settled: true }) as const),
    ...elsewhere.map(text => ({ kind: 'elsewhere', text, settled: false }) as const),
    ...blowUps.map(make => ({ kind: 'blow-up', text: make(), settled: false }) as const),
  ];
}

/** Occasionally changes the spelling, or adds insignificant text. */
function varySpelling(dice: Dice, text: string): string {
  return dice.of(
    text,
    text,
    text,
    text.toUpperCase(),
    text.replaceAll(' ', '\n\t'),
    text.replaceAll(' ', ' /* \' " /* $$ */ */ '),
    `${text} -- '; DROP TABLE orders`,
    `${text};`,
    `(${text})`,
    `SELECT * FROM (${text}) AS outermost`,
    text.replaceAll(/\bsecret\b/g, 'U&"\\0073ecret"'),
    text.replaceAll(/\bsecret\b/g, '"secret"'),
    text.replaceAll(/\borders\b/g, '"orders"'),
    `\ufeff${text}`,
    text.replaceAll(' ', '\u00a0'),
  );
}

/** Generates random, unusual and hostile statements of a caller. */
export function hostileSql(dice: Dice): Hostile {
  const settled = true;
  const choice = dice.below(100);
  if (choice < 30) return { kind: 'sound', text: soundSql(dice, tenantCubes), settled };
  if (choice < 37) return { kind: 'odd', text: varySpelling(dice, soundSql(dice, tenantCubes)), settled };
  if (choice < 57) return { kind: 'hidden', text: hidden(dice), settled: false };
  if (choice < 67) return { kind: 'probe', text: varySpelling(dice, dice.pick(probes)), settled };
  if (choice < 80) return { kind: 'elsewhere', text: varySpelling(dice, dice.pick(elsewhere)), settled: false };
  if (choice < 99) return { kind: 'spoilt', text: mutated(dice, soundSql(dice, tenantCubes)), settled: false };
  return { kind: 'blow-up', text: dice.pick(blowUps)(), settled: false };
}

const names = /\b(secret|internal|leaked|guarded|hoard|vault_view|vault)\b/gi;

/** Replaces every hidden name with an unknown one of the same length. */
export function withUnknownNames(text: string): string {
  return text.replaceAll(names, name => name.replaceAll(/[a-z]/g, 'q').replaceAll(/[A-Z]/g, 'Q'));
}
