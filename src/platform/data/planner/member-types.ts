import { LoggableError, PlatformError } from '../../errors.js';
import type { Access } from '../model/access-control.js';
import { type MeasureDefinition, type MemberDefinition, MemberKind } from '../model/definition.js';
import type { ColumnDescriber } from '../semantic-model.js';
import { aggregateType } from '../sql/expression/aggregates.js';
import type { MemberTypes } from '../sql/sql-model.js';
import { SqlType } from '../sql/sql-type.js';
import type { QueryPlanner } from './plan-query.js';
import type { RowMeasures } from './row-measures.js';
import { topLevelPlace } from './statements.js';

/** What the types of members are found with. */
export interface MemberTypeOptions {
  readonly planner: QueryPlanner;
  readonly rowLevel: RowMeasures;
  /** Of no one: nothing is read. */
  readonly access: Access;
}

type ValueMember = Exclude<MemberDefinition, { kind: 'segment' }>;
/** Types by path. */
type Types = Map<string, SqlType>;

/** Members that one statement is made of. */
const membersAtOnce = 40;
const numbers: ReadonlySet<SqlType> = new Set([SqlType.integer, SqlType.bigint, SqlType.numeric, SqlType.double]);
const counting: ReadonlySet<string> = new Set(['count', 'countDistinct', 'countDistinctApprox']);

/**
 * Finds the types of members: those that the engine gives to their columns in a query that finds no row. They hang on the data alone, so
 * all callers share them.
 */
export class MemberTypeReader {
  readonly #options: MemberTypeOptions;
  #dataVersion = '';
  /** By path; no more than there are members. */
  #known = new Map<string, MemberTypes>();

  constructor(options: MemberTypeOptions) {
    this.#options = options;
  }

  /**
   * Types by path of members that some caller may see, others perhaps among them.
   * @throws LoggableError where the engine refuses the SQL of a member.
   */
  async typesOf(paths: readonly string[], engine: ColumnDescriber): Promise<ReadonlyMap<string, MemberTypes>> {
    if (this.#dataVersion !== engine.dataVersion) {
      this.#dataVersion = engine.dataVersion;
      this.#known = new Map();
    }
    const known = this.#known;
    const missing = [...new Set(paths)].filter(path => !known.has(path)).flatMap(path => this.#member(path));
    for (const entity of new Set(missing.map(member => member.entity))) {
      const members = missing.filter(member => member.entity === entity);
      const rows = await this.#rowTypes(members, engine);
      const groups = await this.#groupTypes(members, rows, engine);
      for (const { path } of members) known.set(path, { row: rows.get(path) ?? null, group: groups.get(path) ?? null });
    }
    return known;
  }

  #member(path: string): ValueMember[] {
    const member = this.#options.access.members.get(path);
    return member === undefined || member.kind === MemberKind.segment ? [] : [member];
  }

  async #rowTypes(members: readonly ValueMember[], engine: ColumnDescriber): Promise<Types> {
    const { rowLevel } = this.#options;
    const single = members.filter(member => member.kind === MemberKind.dimension || rowLevel.has(member));
    return this.#types(single, rowTypeOf, { grouped: false, engine });
  }

  async #groupTypes(members: readonly ValueMember[], rows: Types, engine: ColumnDescriber): Promise<Types> {
    const measures = members.filter(member => member.kind === MemberKind.measure);
    return this.#types(measures, measure => groupTypeOf(measure, rows.get(measure.path)), { grouped: true, engine });
  }

  /** Those that are known beforehand, and of all others what the engine says. */
  async #types<M extends ValueMember>(members: readonly M[], typeOf: (member: M) => SqlType | undefined, how: How) {
    const types: Types = new Map();
    const unknown: M[] = [];
    for (const member of members) {
      const type = typeOf(member);
      if (type === undefined) unknown.push(member);
      else types.set(member.path, type);
    }
    for (let start = 0; start < unknown.length; start += membersAtOnce)
      await this.#describe(unknown.slice(start, start + membersAtOnce), how, types);
    return types;
  }

  /** All of them at once, or where they can't be had together, one by one. */
  async #describe(members: readonly ValueMember[], how: How, types: Types): Promise<void> {
    const { planner, access } = this.#options;
    const [{ entity, path } = { entity: '', path: '' }, ...others] = members;
    const columns = members.map(({ kind, path: own }) => ({ kind, path: own, type: SqlType.other }));
    const query = { entity, grouped: how.grouped, columns, filters: [], conditions: [] };
    try {
      const { sql, parameters } = planner.planCube(access, query, planner.dates()).statement(topLevelPlace);
      const found = await how.engine.describe(sql, parameters);
      for (const [index, member] of members.entries()) types.set(member.path, found[index] ?? SqlType.other);
    } catch (error) {
      const isOfMembers = error instanceof LoggableError || (error instanceof PlatformError && error.status === 400);
      if (isOfMembers && others.length > 0) for (const member of members) await this.#describe([member], how, types);
      else
        throw error instanceof LoggableError ? new LoggableError(`${path} can't be queried: ${error.message}`) : error;
    }
  }
}

/** How members are asked for. */
interface How {
  readonly grouped: boolean;
  readonly engine: ColumnDescriber;
}

/** Of a row, where it is the same whatever the engine holds. */
function rowTypeOf(member: ValueMember): SqlType | undefined {
  if (member.type === 'string') return SqlType.text;
  if (member.kind === MemberKind.dimension) return member.type === 'time' ? SqlType.timestamp : undefined;
  return counting.has(member.aggType) ? SqlType.integer : undefined;
}

/** Of a group of rows, where it follows from that of a row. */
function groupTypeOf({ aggType, type }: MeasureDefinition, row: SqlType | undefined): SqlType | undefined {
  if (type === 'string') return SqlType.text;
  if (counting.has(aggType)) return SqlType.bigint;
  if (aggType === 'min' || aggType === 'max') return row;
  const isSum = aggType === 'sum' || aggType === 'avg';
  return isSum && row !== undefined && numbers.has(row) ? aggregateType(aggType, row) : undefined;
}
