import { nearestName } from '../../../contract/nearest-name.js';
import type { Engine } from '../engines/engine.js';
import { isReserved, isReservedForCubes, isTemplateKeyword } from '../model/reserved-words.js';
import { type Column, firstRow, quoteIdentifier, type Table, valueSql } from './read-tables.js';

/** A dimension and its column. */
export interface Dimension {
  readonly name: string;
  readonly column: Column;
  readonly isKey: boolean;
  /** `null` if the title derived from the name is readable. */
  readonly title: string | null;
}

/** A measure; `column` is `null` for the number of rows. */
export interface Measure {
  readonly name: string;
  readonly type: 'count' | 'sum' | 'avg';
  readonly column: Column | null;
  /** `null` if the title derived from the name is readable. */
  readonly title: string | null;
}

/** A join from a column to the primary key of another cube. */
export interface Join {
  readonly cube: string;
  readonly column: Column;
  /** Dimension of the other cube. */
  readonly key: string;
  readonly relationship: 'many_to_one' | 'one_to_one';
}

/** A cube of the generated model. */
export interface Cube {
  readonly name: string;
  readonly table: string;
  readonly rows: number;
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly joins: readonly Join[];
  /** Dimension that limits the rows to the tenant of the viewer; `null` if no column contains the tenant. */
  readonly tenant: Dimension | null;
}

const idName = /(^|[_ -])(ids?|key|uuid|guid|code|zip|postcode|phone|no|nr|number)\.?$|[a-z]I[dD]$/i;
/** Matches numbers whose sums and averages are meaningless. */
const labelName =
  /^(lat|lon|lng|latitude|longitude|month|week|day|hour)$|(^|[_ ])(cluster|class|category|type|tier|zone|group|year|season)$|^year[_ ](built|made|of)|[a-z]Year$/i;
/** Matches numbers whose sums are meaningless. */
const averageName =
  /(^|[_ ])(rate|rating|ratio|percent|percentage|share|score|satisfaction|csat|nps|age|average|avg|mean|temperature|latency|expectancy)$|%|\((ms|s|sec|min|h)\)$/i;
/** Matches numbers that are usually averaged, although their sum is meaningful. */
const sizeName =
  /(^|[_ ])(days? to|time|duration|delay|price|speed|weight|mass|height|depth|width|length|size|mpg|mileage)($|[_ ])/i;
/**
 * A text column contains names of objects if the table has at least this number of rows and this share of distinct
 * values.
 */
const minObjects = 20;
const minNamedShare = 0.9;
const tenantName = /^(tenant|tenant_?id|tenant_?name)$/i;
const validName = /^[a-z_]\w{0,99}$/i;

/**
 * Describes a cube for each table, with joins where names and values of columns match the primary key of another table.
 * @param tenantColumn - name of the column that contains the tenant, in addition to the usual names.
 * @throws Error if no table has a column of that name.
 */
export async function describeCubes(
  tables: readonly Table[],
  engine: Pick<Engine, 'run'>,
  tenantColumn: string | null,
): Promise<Cube[]> {
  const cubeNames = new Set(tables.map(({ name }) => cubeNameOf(name)));
  const isNamed = ({ name }: Pick<Column, 'name'>) => name.toLowerCase() === tenantColumn?.toLowerCase();
  if (tenantColumn !== null && !tables.some(({ columns }) => columns.some(isNamed))) {
    const near = nearestName(
      tenantColumn,
      tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
    );
    const fix = near === undefined ? 'Set --tenant to the column that contains the tenant.' : `Did you mean "${near}"?`;
    throw new Error(`No table has a column "${tenantColumn}". ${fix}`);
  }
  const cubes = tables.map(table => {
    const isTenant = [isNamed, ({ name }: Column) => tenantName.test(name)];
    const [column] = isTenant.flatMap(matches => table.columns.filter(matches));
    const columns = table.columns.map(each => (each === column ? withoutConversion(each) : each));
    const cube = describeCube({ ...table, columns }, cubeNames);
    const tenant = cube.dimensions.find(dimension => dimension.column.name === column?.name) ?? null;
    return { ...cube, tenant };
  });
  const joined: Cube[] = [];
  for (const cube of cubes) joined.push({ ...cube, joins: await findJoins(cube, cubes, joined, engine) });
  return joined;
}

/**
 * Removes the conversion of the tenant column, which stays text, because a conversion could make different tenants
 * equal, such as `1.1` and `1.10`.
 */
function withoutConversion(column: Column): Column {
  return column.conversion === null ? column : { ...column, type: 'string', conversion: null, days: 0 };
}

function cubeNameOf(table: string): string {
  return isReservedForCubes(table) ? `${table}_rows` : table;
}

function describeCube({ name: table, rows, columns }: Table, cubeNames: ReadonlySet<string>): Omit<Cube, 'tenant'> {
  const name = cubeNameOf(table);
  const taken = new Set<string>();
  const nameOf = (text: string): string => {
    const plain = memberNameOf(text);
    const isTaken = (one: string) => taken.has(one) || cubeNames.has(one) || isReserved(one) || isTemplateKeyword(one);
    let free = plain;
    for (let number = 2; isTaken(free); number += 1) free = `${plain}_${number}`;
    taken.add(free);
    return free;
  };
  const key = findKey(table, rows, columns);
  const dimensions = columns.map(column => {
    const member = nameOf(column.name);
    return { name: member, column, isKey: column === key, title: dimensionTitleOf(column.name, member) };
  });
  const numbers = columns.filter(
    column => column.type === 'number' && column !== key && !idName.test(column.name) && !labelName.test(column.name),
  );
  const measures: Measure[] = [{ name: nameOf('count'), type: 'count', column: null, title: null }];
  const measure = (prefix: string, type: Measure['type'], column: Column): Measure => {
    const title = validName.test(column.name) ? null : `${prefix} ${insideSentence(column.name)}`;
    return { name: nameOf(`${prefix.toLowerCase()}_${column.name}`), type, column, title };
  };
  const isName = ({ type, distinct, name: text }: Column) =>
    type === 'string' && !idName.test(text) && distinct >= minNamedShare * rows;
  const isOfObjects = rows >= minObjects && columns.some(isName);
  for (const column of numbers) {
    const average = measure('Average', 'avg', column);
    const total = averageName.test(column.name) ? [] : [measure('Total', 'sum', column)];
    // Consumers of the model, such as the chat, use the first measure unless a question names the other.
    const isSize = sizeName.test(column.name) || (isOfObjects && column.isSteady);
    measures.push(...(isSize ? [average, ...total] : [...total, average]));
  }
  return { name, table, rows, dimensions, measures, joins: [] };
}

/** Converts the first letter of `First response` to lower case, but not that of `Gross Amount` or `CSAT`. */
function insideSentence(name: string): string {
  return /^\p{Lu}[^\p{Lu}]+$/u.test(name) && name.includes(' ') ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

/**
 * Returns the column name as title; `null` if the title derived from the name is better, as for `ORDER_DATE`, but not
 * for `SKU`.
 */
function dimensionTitleOf(column: string, name: string): string | null {
  const isPlain = validName.test(column) && (column.includes('_') || column.slice(1) === name.slice(1));
  return isPlain ? null : column;
}

function memberNameOf(text: string): string {
  // Camel case is hard to read after conversion to lower case.
  if (validName.test(text)) return /[a-z][A-Z]/.test(text) ? text : text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 90);
  return validName.test(plain) ? plain : `_${plain}`;
}

/**
 * Returns the column that identifies a row: a column with unique values that is named like an id or is the first
 * column.
 */
function findKey(table: string, rows: number, columns: readonly Column[]): Column | undefined {
  const unique = columns.filter(
    ({ type, values, distinct }) =>
      rows > 0 && distinct === rows && values === rows && ['string', 'number'].includes(type),
  );
  const preferred = ['id', `${table}_id`, `${singular(table)}_id`];
  const byName = unique.find(({ name }) => preferred.includes(name.toLowerCase()));
  return byName ?? unique.find(({ name }) => idName.test(name)) ?? unique.find(column => column === columns[0]);
}

function singular(table: string): string {
  return table.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}

/** Fewer distinct values may match by chance. */
const minMatchingValues = 3;
const maxComparedValues = 10_000;

async function findJoins(
  cube: Cube,
  cubes: readonly Cube[],
  joined: readonly Cube[],
  engine: Pick<Engine, 'run'>,
): Promise<Join[]> {
  const joins: Join[] = [];
  for (const other of cubes) {
    const key = other.dimensions.find(({ isKey }) => isKey);
    const isJoined = joined.some(
      ({ name, joins: existing }) => name === other.name && existing.some(one => one.cube === cube.name),
    );
    if (other === cube || key === undefined || isJoined) continue;
    const columns = cube.dimensions.map(({ column }) => column).filter(({ type }) => type === key.column.type);
    const byName = columns.filter(({ name }) => isNameOf(name, other.table, key.column.name));
    // Numbers of unrelated tables often match, because ids start with 1.
    const byValue = columns.filter(
      ({ type, distinct }) =>
        type === 'string' && distinct >= minMatchingValues && key.column.distinct >= minMatchingValues,
    );
    for (const column of [...byName, ...byValue]) {
      const share = await matchingShare(cube.table, column, other.table, key.column, engine);
      if (share < (byName.includes(column) ? 0.5 : 0.9)) continue;
      const isUnique = column.distinct === cube.rows;
      joins.push({ cube: other.name, column, key: key.name, relationship: isUnique ? 'one_to_one' : 'many_to_one' });
      break;
    }
  }
  return joins;
}

function isNameOf(column: string, table: string, key: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '');
  const names = [table, singular(table)].flatMap(name => [name, `${name}${key}`]);
  if (!/^(id|key|code|name)$/i.test(key)) names.push(key);
  return names.map(plain).includes(plain(column));
}

/** Returns the share of the distinct values of a column that are values of a key. */
async function matchingShare(
  table: string,
  column: Column,
  other: string,
  key: Column,
  engine: Pick<Engine, 'run'>,
): Promise<number> {
  const values = `SELECT DISTINCT ${valueSql(column)} AS value FROM ${quoteIdentifier(table)}
    WHERE ${valueSql(column)} IS NOT NULL LIMIT ${maxComparedValues}`;
  const sql = `SELECT count(*), count(*) FILTER (WHERE value IN (SELECT ${valueSql(key)} FROM ${quoteIdentifier(other)}))
    FROM (${values}) AS compared`;
  const [all = 0, matching = 0] = (await firstRow(engine, sql)).map(Number);
  return all === 0 ? 0 : matching / all;
}
