import type { SelectStmt } from 'libpg-query';
import type { Access } from '../model/access-control.js';
import { MemberKind } from '../model/definition.js';
import type { SqlColumn, SqlPlan, Statement } from '../semantic-model.js';
import { type PrintOptions, printStatement } from './print-statement.js';
import { readStatement } from './read-statement.js';
import { checkRowCost } from './row-cost.js';
import { withTypes } from './select/build-select.js';
import { type ReadQuery, readQuery } from './select/read-query.js';
import { placeOfColumn } from './select/select-list.js';
import type { CubePlan, SqlModel } from './sql-model.js';
import { SqlProblem, toLocatedError } from './sql-problem.js';
import { isOutput, SqlType } from './sql-type.js';
import type { ColumnValue, CubeColumn, CubeQuery, OutputColumn, SelectStatement, Source } from './tree.js';

type Tables = ReadonlyMap<number, SelectStatement>;

/**
 * Returns, for each column of a statement, the column of a cube or view that it returns unchanged; `undefined` if the
 * column is computed.
 */
function columnOrigins(statement: SelectStatement): readonly (CubeColumn | undefined)[] {
  return statement.columns.map((_, index) => originOf(statement, index, new Map()));
}

function originOf(statement: SelectStatement, index: number, around: Tables): CubeColumn | undefined {
  const { body } = statement;
  if (body.kind === 'set' || body.from === null) return undefined;
  const value = body.columns[index];
  if (value?.kind !== 'column') return undefined;
  const tables = new Map(around);
  for (const table of statement.with) tables.set(table.id, table.statement);
  return inSource(body.from, value, tables);
}

function inSource(source: Source, value: ColumnValue, tables: Tables): CubeColumn | undefined {
  if (source.kind === 'join') return inSource(source.left, value, tables) ?? inSource(source.right, value, tables);
  if (source.source !== value.source) return undefined;
  if (source.kind === 'cube') return source.query.columns[value.column];
  const statement = source.kind === 'statement' ? source.statement : tables.get(source.id);
  return statement && originOf(statement, value.column, tables);
}

/** Returns the title of a member, unless the column has an alias in this select or in an inner select. */
function columnTitle(
  { body, columns }: SelectStatement,
  index: number,
  origin: CubeColumn | undefined,
  { access }: SqlModel,
): Pick<SqlColumn, 'title'> {
  const column = columns[index];
  if (origin === undefined || origin.kind === 'computed' || column === undefined) return {};
  const isDirect = body.kind === 'select' && body.from?.kind === 'cube';
  if (isDirect ? isAlias(column, origin) : column.name !== ownName(origin)) return {};
  const title = access.members.get(origin.path)?.shortTitle;
  return title === undefined ? {} : { title };
}

/** Whether a column of a select over a cube has an alias that differs from the name of its member. */
export function isAlias({ name, aliased = false }: OutputColumn, origin: { readonly path: string }): boolean {
  return aliased && name !== ownName(origin);
}

function ownName({ path }: { readonly path: string }): string {
  return path.slice(path.indexOf('.') + 1);
}

/**
 * Returns the paths of all members that a statement may use: for each cube and view that it names, the members whose
 * names occur in it, or all members if it contains `*`.
 */
function memberNames(select: SelectStmt, { entities, members }: Access): readonly string[] {
  const words = wordsOf(select);
  const mentioned = [...entities.values()].filter(({ name }) => words.has(name.toLowerCase()));
  const occurs = (name: string) => words.has('*') || words.has(name.toLowerCase());
  return mentioned.flatMap(entity =>
    [...entity.members.values()]
      .filter(({ path, name, kind }) => kind !== MemberKind.segment && members.has(path) && occurs(name))
      .map(({ path }) => path),
  );
}

/** Returns all names and strings of a statement in lower case, such as those of its tables and columns. */
function wordsOf(select: SelectStmt): ReadonlySet<string> {
  const words = new Set<string>();
  const rest: object[] = [select];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('A_Star' in next) words.add('*');
    for (const [key, value] of Object.entries(next)) {
      const isName = key === 'relname' || key === 'sval';
      if (isName && typeof value === 'string') words.add(value.toLowerCase());
      else if (typeof value === 'object' && value !== null) rest.push(value);
    }
  }
  return words;
}

/**
 * Plans a semantic SQL statement for a caller.
 * @throws PlatformError 400 with line and column for SQL that is invalid or not supported with the semantics of
 * Postgres, and for unknown or hidden names.
 */
export function planSql(text: string, model: SqlModel): Promise<SqlPlan> {
  return withSqlErrors(text, async () => {
    const { select, statement: read, queries } = await analyzeSql(text, model);
    const statement = readable(read, select);
    const plans = new Map<CubeQuery, CubePlan>(queries.map(query => [query, model.planCube(query)]));
    const planOf = (query: CubeQuery) => {
      const plan = plans.get(query);
      if (plan === undefined) throw new Error('A statement reads a cube query that was not planned');
      return plan;
    };
    const origins = columnOrigins(read);
    return {
      key: JSON.stringify([statement, [...plans.values()].map(({ key }) => key), model.timezone.name]),
      columns: statement.columns.map(({ name, type }, index) => ({
        name,
        type,
        ...describeColumn(origins[index], model),
        ...columnTitle(read, index, origins[index], model),
      })),
      statement: () => printed(statement, { dialect: model.dialect, planOf }),
    };
  });
}

/**
 * Parses SQL into a tree in which all names are resolved.
 * @throws SqlProblem for SQL that is invalid or not supported.
 */
export async function analyzeSql(text: string, model: SqlModel): Promise<ReadQuery & { readonly select: SelectStmt }> {
  const select = await readStatement(text);
  const types = await model.memberTypes(memberNames(select, model.access));
  const read = readQuery(select, model, types);
  checkRowCost(read.statement);
  return { select, ...read };
}

/** Runs an action and converts its `SqlProblem` into a `PlatformError` with line and column. */
export async function withSqlErrors<T>(text: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof SqlProblem ? toLocatedError(error, text) : error;
  }
}

function printed(statement: SelectStatement, options: PrintOptions): Statement {
  try {
    return printStatement(statement, options);
  } catch (error) {
    throw error instanceof SqlProblem ? toLocatedError(error, '') : error;
  }
}

/**
 * Converts columns without a supported type to text.
 * @throws SqlProblem for an interval, which cannot be returned.
 */
function readable(statement: SelectStatement, select: SelectStmt): SelectStatement {
  const { columns } = statement;
  const place = columns.findIndex(({ type }) => !isOutput(type));
  if (place >= 0)
    throw new SqlProblem(
      `Column ${place + 1} has the type interval, which cannot be returned: write EXTRACT(EPOCH FROM …)`,
      placeOfColumn(select, place),
    );
  const types = columns.map(({ type }) => (type === SqlType.other ? SqlType.text : type));
  return withTypes(statement, types, () => 0);
}

type Described = Pick<SqlColumn, 'member' | 'format' | 'granularity'>;

function describeColumn(origin: CubeColumn | undefined, { access }: SqlModel): Described {
  if (origin === undefined || origin.kind === 'computed') return {};
  const { path } = origin;
  if (origin.kind === 'time') return { member: `${path}.${origin.granularity}`, granularity: origin.granularity };
  const member = access.members.get(origin.path);
  const format = member?.kind === 'segment' ? undefined : member?.format;
  return { member: path, ...(format && { format }) };
}
