import { nearestName } from '../../contract/nearest-name.js';
import { LoggableError, PlatformError } from '../errors.js';
import type { Engine } from './engines/engine.js';
import type { Access } from './model/access-control.js';
import { type MemberDefinition, MemberKind } from './model/definition.js';
import type { Located, SourcePath } from './model/model-files.js';
import type { CubeSource } from './model/model-schema.js';
import type { ModelSources } from './model/model-sources.js';
import type { QueryPlanner } from './planner/plan-query.js';

/** A model and the engine that runs its SQL. */
export interface RejectedSqlScope {
  readonly sources: ModelSources;
  /** FROM items by name of their cube. */
  readonly tables: ReadonlyMap<string, string>;
  /** Access to all members. */
  readonly access: Access;
  readonly planner: QueryPlanner;
  readonly engine: Pick<Engine, 'describe' | 'run'>;
}

/** Maximum number of members that one statement describes. */
const membersAtOnce = 40;
const unknownColumn =
  /does not have a column named "([^"]+)"|column "([^"]+)" not found|column (?:\w+\.)?"?([^".]+?)"? does not exist/i;

/**
 * Reports the SQL of cubes that the engine rejects, such as a column that does not exist, at its line: the `sql` of a
 * cube, of its members and of its joins. The engine describes the statements; it does not run them.
 */
export async function reportRejectedSql(scope: RejectedSqlScope): Promise<void> {
  const valid = new Set<string>();
  for (const [name, cube] of scope.sources.cubes) if (await checkCube(name, cube, scope)) valid.add(name);
  for (const [name, cube] of scope.sources.cubes) if (valid.has(name)) await checkJoins(name, cube, valid, scope);
}

/** Returns whether the engine accepts the cube. */
async function checkCube(name: string, cube: Located<CubeSource>, scope: RejectedSqlScope): Promise<boolean> {
  const rejected = await rejectionOf(scope.engine, () => ({
    sql: `SELECT * FROM ${scope.tables.get(name)} AS "cube"`,
    parameters: [],
  }));
  if (rejected !== null) {
    cube.report([cube.source.sql === undefined ? 'sql_table' : 'sql'], `${name} cannot be queried: ${rejected}`);
    return false;
  }
  const members = [...(scope.access.entities.get(name)?.members.values() ?? [])].filter(isPlain);
  let isValid = true;
  for (let start = 0; start < members.length; start += membersAtOnce) {
    const part = members.slice(start, start + membersAtOnce);
    if ((await describeMembers(part, scope)) === null) continue;
    for (const member of part) {
      const message = await describeMembers([member], scope);
      if (message === null) continue;
      isValid = false;
      cube.report(pathOf(member, cube.source), `${member.name}: ${await withColumns(message, name, scope)}`);
    }
  }
  return isValid;
}

/**
 * Whether a member can be queried alone. Cumulative measures cannot, because they require a date range, and their SQL
 * is the SQL of another aggregate.
 */
function isPlain(member: MemberDefinition): boolean {
  return !(member.kind === MemberKind.measure && member.cumulative);
}

async function checkJoins(
  name: string,
  { source, report }: Located<CubeSource>,
  valid: ReadonlySet<string>,
  scope: RejectedSqlScope,
): Promise<void> {
  const first = firstDimension(name, scope);
  for (const [index, join] of (source.joins ?? []).entries()) {
    const other = firstDimension(join.name, scope);
    if (first === undefined || other === undefined || !valid.has(join.name)) continue;
    const message = await describeMembers([first, other], scope);
    if (message !== null) report(['joins', index, 'sql'], `join of ${join.name}: ${message}`);
  }
}

/** Returns a dimension whose SQL reads only its own cube. */
function firstDimension(cube: string, { access }: RejectedSqlScope): MemberDefinition | undefined {
  const members = [...(access.entities.get(cube)?.members.values() ?? [])];
  return members.find(({ kind, reads }) => kind === MemberKind.dimension && reads.size === 1 && reads.has(cube));
}

/** Returns the reason why the engine rejects a query of these members, `null` if it accepts the query. */
async function describeMembers(
  members: readonly MemberDefinition[],
  { access, planner, engine }: RejectedSqlScope,
): Promise<string | null> {
  const pathsOf = (kind: MemberKind) => members.filter(member => member.kind === kind).map(({ path }) => path);
  const [dimensions, segments] = [pathsOf(MemberKind.dimension), pathsOf(MemberKind.segment)];
  const measures = pathsOf(MemberKind.measure);
  // A query requires a column, and a segment is only a condition.
  const columns = [...access.members.values()].filter(({ kind }) => kind === MemberKind.dimension);
  const entity = members[0]?.entity;
  const column =
    dimensions.length + measures.length === 0 ? columns.find(one => one.entity === entity)?.path : undefined;
  if (column !== undefined) dimensions.push(column);
  return rejectionOf(engine, () => planner.plan(access, { measures, dimensions, segments, limit: 1 }).statement());
}

type Statement = { readonly sql: string; readonly parameters: Parameters<Engine['describe']>[1] };

async function rejectionOf(engine: Pick<Engine, 'describe'>, statement: () => Statement): Promise<string | null> {
  try {
    const { sql, parameters } = statement();
    await engine.describe(sql, parameters);
    return null;
  } catch (error) {
    if (error instanceof LoggableError) return error.message;
    // Ignore queries that are invalid themselves, such as members without a join path. Callers get the error when they
    // query.
    if (error instanceof PlatformError && error.status === 400) return null;
    throw error;
  }
}

/** Lists the columns of the table if the statement names a column that does not exist. */
async function withColumns(message: string, cube: string, { sources, engine }: RejectedSqlScope): Promise<string> {
  const table = sources.cubes.get(cube)?.source.sql_table;
  const column = unknownColumn.exec(message)?.slice(1).find(Boolean);
  if (table === undefined || column === undefined) return message;
  const sql = `SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1
    GROUP BY column_name ORDER BY min(ordinal_position)`;
  const names = (await engine.run(sql, [table])).columns[0]?.map(String) ?? [];
  const nearest = nearestName(column, names);
  const fix = nearest === undefined ? `Columns: ${names.join(', ')}` : `Did you mean ${nearest}?`;
  return `the table ${table} has no column ${column}. ${fix}`;
}

function pathOf({ kind, name }: MemberDefinition, source: CubeSource): SourcePath {
  const list = `${kind}s` as const;
  const index = source[list]?.findIndex(member => member.name === name) ?? -1;
  return source[list]?.[index]?.sql === undefined ? [list, index, 'name'] : [list, index, 'sql'];
}
