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

/** Dependencies of the `MemberTypeReader`. */
export interface MemberTypeOptions {
  readonly planner: QueryPlanner;
  readonly rowLevel: RowMeasures;
  /** Access to the members that does not depend on a caller. It grants no access to rows. */
  readonly access: Access;
}

type ValueMember = Exclude<MemberDefinition, { kind: 'segment' }>;
/** Types by member path. */
type Types = Map<string, SqlType>;

/** Maximum number of members that one statement describes. */
const membersAtOnce = 40;
const numbers: ReadonlySet<SqlType> = new Set([SqlType.integer, SqlType.bigint, SqlType.numeric, SqlType.double]);
const counting: ReadonlySet<string> = new Set(['count', 'countDistinct', 'countDistinctApprox']);

/**
 * Determines the SQL types of members by describing a query over them in the engine, without reading rows. Types depend
 * only on the data, so all callers share them.
 */
export class MemberTypeReader {
  readonly #options: MemberTypeOptions;
  #dataVersion = '';
  /** Types by member path. Has at most one entry per member. */
  #cache = new Map<string, MemberTypes>();

  constructor(options: MemberTypeOptions) {
    this.#options = options;
  }

  /**
   * Returns the types of members by path. The map may contain members other than those requested.
   * @throws LoggableError if the engine rejects the SQL of a member.
   */
  async typesOf(paths: readonly string[], engine: ColumnDescriber): Promise<ReadonlyMap<string, MemberTypes>> {
    if (this.#dataVersion !== engine.dataVersion) {
      this.#dataVersion = engine.dataVersion;
      this.#cache = new Map();
    }
    const types = this.#cache;
    const missing = [...new Set(paths)].filter(path => !types.has(path)).flatMap(path => this.#member(path));
    for (const entity of new Set(missing.map(member => member.entity))) {
      const members = missing.filter(member => member.entity === entity);
      const rows = await this.#rowTypes(members, engine);
      const groups = await this.#groupTypes(members, rows, engine);
      for (const { path } of members) types.set(path, { row: rows.get(path) ?? null, group: groups.get(path) ?? null });
    }
    return types;
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

  /** Uses `typeOf` where it returns a type, and describes the other members in the engine. */
  async #types<M extends ValueMember>(
    members: readonly M[],
    typeOf: (member: M) => SqlType | undefined,
    how: DescribeOptions,
  ) {
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

  /** Describes all members in one statement, or one by one if that statement fails. */
  async #describe(members: readonly ValueMember[], how: DescribeOptions, types: Types): Promise<void> {
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
        throw error instanceof LoggableError ? new LoggableError(`${path} cannot be queried: ${error.message}`) : error;
    }
  }
}

interface DescribeOptions {
  /** Whether to describe values of groups instead of values of rows. */
  readonly grouped: boolean;
  readonly engine: ColumnDescriber;
}

/** Returns the type of a member's value in one row, or `undefined` if it depends on the engine. */
function rowTypeOf(member: ValueMember): SqlType | undefined {
  if (member.type === 'string') return SqlType.text;
  if (member.kind === MemberKind.dimension) return member.type === 'time' ? SqlType.timestamp : undefined;
  return counting.has(member.aggType) ? SqlType.integer : undefined;
}

/**
 * Returns the type of a measure's value for a group of rows, or `undefined` if it does not follow from the type in one
 * row.
 */
function groupTypeOf({ aggType, type }: MeasureDefinition, row: SqlType | undefined): SqlType | undefined {
  if (type === 'string') return SqlType.text;
  if (counting.has(aggType)) return SqlType.bigint;
  if (aggType === 'min' || aggType === 'max') return row;
  const isSum = aggType === 'sum' || aggType === 'avg';
  return isSum && row !== undefined && numbers.has(row) ? aggregateType(aggType, row) : undefined;
}
