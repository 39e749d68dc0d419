import { nearestName } from '../../contract/nearest-name.js';
import { LoggableError, PlatformError } from '../errors.js';
import type { AcceptedModelSql } from './accepted-sql.js';
import type { Engine } from './engines/engine.js';
import type { Access } from './model/access-control.js';
import { type MemberDefinition, MemberKind } from './model/definition.js';
import type { Located, SourcePath } from './model/model-files.js';
import type { CubeSource } from './model/model-schema.js';
import type { ModelSources } from './model/model-sources.js';
import type { QueryPlanner } from './planner/plan-query.js';
import type { Reach } from './planner/reach.js';

/** A model and the engine that runs its SQL. */
export interface RejectedSqlScope {
  readonly sources: ModelSources;
  /** FROM items by name of their cube. */
  readonly tables: ReadonlyMap<string, string>;
  /** Access to all members. */
  readonly access: Access;
  readonly planner: QueryPlanner;
  readonly reach: Reach;
  readonly engine: Pick<Engine, 'describe' | 'run'>;
  /** SQL that an earlier check found to be valid; none by default. */
  readonly accepted?: AcceptedModelSql | undefined;
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
  const members = [...(scope.access.entities.get(name)?.members.values() ?? [])].filter(isPlain);
  const subject = ['cube', name];
  const cubes = scope.reach.of(members, [name]);
  if (scope.accepted?.has(subject, cubes) === true) return true;
  const table = await verdictOf(scope.engine, () => ({
    sql: `SELECT * FROM ${scope.tables.get(name)} AS "cube"`,
    parameters: [],
  }));
  if (table.rejection !== null) {
    cube.report([cube.source.sql === undefined ? 'sql_table' : 'sql'], `${name} cannot be queried: ${table.rejection}`);
    return false;
  }
  let isValid = true;
  let { isAccepted } = table;
  for (let start = 0; start < members.length; start += membersAtOnce) {
    const part = members.slice(start, start + membersAtOnce);
    const verdict = await describeMembers(part, scope);
    isAccepted &&= verdict.isAccepted;
    if (verdict.rejection !== null && !(await checkMembers(name, cube, part, scope))) isValid = false;
  }
  if (isAccepted) scope.accepted?.add(subject, cubes);
  return isValid;
}

/** Checks members one by one. Returns whether the engine accepts all of them. */
async function checkMembers(
  cubeName: string,
  cube: Located<CubeSource>,
  members: readonly MemberDefinition[],
  scope: RejectedSqlScope,
): Promise<boolean> {
  let isValid = true;
  for (const member of members) {
    const { rejection } = await describeMembers([member], scope);
    if (rejection === null) continue;
    isValid = false;
    cube.report(pathOf(member, cube.source), `${member.name}: ${await withColumns(rejection, cubeName, scope)}`);
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
    const subject = ['join', first.path, other.path];
    const cubes = scope.reach.of([first, other], []);
    if (scope.accepted?.has(subject, cubes) === true) continue;
    const { rejection, isAccepted } = await describeMembers([first, other], scope);
    if (rejection !== null) report(['joins', index, 'sql'], `join of ${join.name}: ${rejection}`);
    else if (isAccepted) scope.accepted?.add(subject, cubes);
  }
}

/** Returns a dimension whose SQL reads only its own cube. */
function firstDimension(cube: string, { access }: RejectedSqlScope): MemberDefinition | undefined {
  const members = [...(access.entities.get(cube)?.members.values() ?? [])];
  return members.find(({ kind, reads }) => kind === MemberKind.dimension && reads.size === 1 && reads.has(cube));
}

/** Describes a query of these members. */
async function describeMembers(
  members: readonly MemberDefinition[],
  { access, planner, engine }: RejectedSqlScope,
): Promise<Verdict> {
  const pathsOf = (kind: MemberKind) => members.filter(member => member.kind === kind).map(({ path }) => path);
  const [dimensions, segments] = [pathsOf(MemberKind.dimension), pathsOf(MemberKind.segment)];
  const measures = pathsOf(MemberKind.measure);
  // A query requires a column, and a segment is only a condition.
  const columns = [...access.members.values()].filter(({ kind }) => kind === MemberKind.dimension);
  const entity = members[0]?.entity;
  const column =
    dimensions.length + measures.length === 0 ? columns.find(one => one.entity === entity)?.path : undefined;
  if (column !== undefined) dimensions.push(column);
  return verdictOf(engine, () => planner.plan(access, { measures, dimensions, segments, limit: 1 }).statement());
}

type Statement = { readonly sql: string; readonly parameters: Parameters<Engine['describe']>[1] };

/** Result of describing a statement. */
interface Verdict {
  /** Why the engine rejects the statement; `null` if it accepts the statement or has not received it. */
  readonly rejection: string | null;
  readonly isAccepted: boolean;
}

async function verdictOf(engine: Pick<Engine, 'describe'>, statement: () => Statement): Promise<Verdict> {
  try {
    const { sql, parameters } = statement();
    await engine.describe(sql, parameters);
    return { rejection: null, isAccepted: true };
  } catch (error) {
    if (error instanceof LoggableError) return { rejection: error.message, isAccepted: false };
    // Ignore queries that are invalid themselves, such as members without a join path. Callers get the error when they
    // query.
    if (error instanceof PlatformError && error.status === 400) return { rejection: null, isAccepted: false };
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
