import type {
  DimensionDefinition,
  EntityDefinition,
  Granularity,
  MemberDefinition,
  SqlTemplate,
} from './definition.js';
import { formatOf, titleize } from './labels.js';
import type { Located, SourcePath } from './model-files.js';
import { type CubeSource, granularityProblem } from './model-schema.js';
import { checkSql, isPredefined, type References, SqlPlace } from './references.js';
import { isReserved } from './reserved-words.js';
import { resolveHierarchies } from './resolve-hierarchy.js';
import { resolvePolicy } from './resolve-policy.js';

type DimensionSource = NonNullable<CubeSource['dimensions']>[number];
type MeasureSource = NonNullable<CubeSource['measures']>[number];
type SegmentSource = NonNullable<CubeSource['segments']>[number];
/** Location of a member in its file, and the kind of its SQL, which determines what it may reference. */
type MemberPlace = { readonly path: SourcePath; readonly place: SqlPlace };

/** Maximum length of the SQL of a member or join after its references are replaced. */
const maxExpandedLength = 100_000;

/** Names of relationships in `/v1/meta`. */
const relationships = { many_to_one: 'belongsTo', one_to_many: 'hasMany', one_to_one: 'hasOne' } as const;

/** Returns a copy of those optional fields that are set. */
export function descriptiveFields<T extends object, K extends keyof T>(
  source: T,
  keys: readonly K[],
): { [P in K]?: NonNullable<T[P]> } {
  const fields: { [P in K]?: NonNullable<T[P]> } = {};
  for (const key of keys) if (source[key] !== undefined && source[key] !== null) fields[key] = source[key];
  return fields;
}

/** The tables that cubes may read. */
interface KnownTables {
  readonly tables: readonly string[];
  /** Returns the value of a `sql_table` that contains environment variables. */
  readonly reveal: (table: string) => string;
}

/** Validates a cube and resolves its members and policies. */
export class CubeResolver {
  readonly #references: References;
  readonly #tables: KnownTables;
  readonly #filterColumns: Map<string, SqlTemplate>;

  constructor(references: References, tables: KnownTables, filterColumns: Map<string, SqlTemplate>) {
    this.#references = references;
    this.#tables = tables;
    this.#filterColumns = filterColumns;
  }

  /** Returns the FROM item of the cube. */
  table({ source, report }: Located<CubeSource>): string {
    if (source.sql !== undefined) {
      if (/[{}]/.test(source.sql)) report(['sql'], 'sql of a cube must not contain braces');
      return `(${source.sql.replace(/;\s*$/, '')}\n)`;
    }
    const table = source.sql_table ?? '';
    const { tables, reveal } = this.#tables;
    if (!tables.includes(reveal(table))) report(['sql_table'], `Unknown table ${table}. Tables: ${tables.join(', ')}`);
    return `"${table.replaceAll('"', '""')}"`;
  }

  resolve(cube: Located<CubeSource>): EntityDefinition {
    const { source, report } = cube;
    this.#checkJoins(cube);
    const title = source.title ?? titleize(source.name);
    const members = new Map<string, MemberDefinition>();
    const add = (member: MemberDefinition, path: SourcePath) => {
      if (isReserved(member.name)) report([...path, 'name'], `${member.name} is a reserved name`);
      else if (members.has(member.name))
        report([...path, 'name'], `${member.name} is already the name of another member of ${source.name}`);
      else if (this.#references.isCube(member.name) && this.#references.path(source.name, member.name))
        report(
          [...path, 'name'],
          `${member.name} is the name of a cube that ${source.name} joins: choose another name`,
        );
      members.set(member.name, member);
    };
    for (const [index, dimension] of (source.dimensions ?? []).entries()) {
      add(this.#dimension(cube, title, dimension, index), ['dimensions', index]);
    }
    for (const [index, measure] of (source.measures ?? []).entries()) {
      add(this.#measure(cube, title, measure, index), ['measures', index]);
    }
    for (const [index, segment] of (source.segments ?? []).entries()) {
      add(this.#segment(cube, title, segment, index), ['segments', index]);
    }
    const onFilter = (dimension: DimensionDefinition, path: SourcePath) => {
      // Skip a dimension whose SQL is too long. It is reported elsewhere, and its SQL cannot be generated.
      if (this.#references.expandedLength(source.name, dimension.name) > maxExpandedLength) return;
      const sql = this.#references.ownSql(source.name, dimension.name);
      if (dimension.subQuery) report(path, `${dimension.path} is a sub_query: filter by a plain dimension`);
      else if (sql === undefined)
        report(path, `${dimension.path} reads another cube: filter it in the policy of that cube`);
      else this.#filterColumns.set(dimension.path, sql);
    };
    const scope = { entity: source.name, members, report, onFilter };
    const policies = (source.access_policy ?? []).map((policy, index) =>
      resolvePolicy(scope, policy, ['access_policy', index]),
    );
    const described = descriptiveFields(source, ['description', 'meta']);
    return {
      name: source.name,
      type: 'cube',
      title,
      public: source.public ?? true,
      policies,
      members,
      hierarchies: resolveHierarchies(this.#references, cube, members),
      folders: [],
      joins: (source.joins ?? []).map(({ name, relationship }) => ({
        name,
        relationship: relationships[relationship],
      })),
      ...described,
    };
  }

  #checkJoins(cube: Located<CubeSource>): void {
    const { source, report } = cube;
    const names = new Set<string>();
    source.joins?.forEach(({ name, sql }, index) => {
      const path = ['joins', index, 'name'];
      if (!this.#references.isCube(name)) report(path, `${name} is not a cube`);
      if (name === source.name) report(path, 'a cube cannot join itself: join a cube that extends it');
      if (names.has(name)) report(path, `${name} is already joined: join a cube that extends it`);
      names.add(name);
      checkSql(this.#references, cube, ['joins', index, 'sql'], sql, SqlPlace.condition);
      const length = this.#references.expandedSqlLength(source.name, sql);
      this.#checkLength(cube, ['joins', index, 'sql'], `the join to ${name}`, length);
    });
  }

  /** Reports SQL that is too long after its references are replaced. Circular references are reported elsewhere. */
  #checkLength({ report }: Located<CubeSource>, path: SourcePath, what: string, length: number): void {
    if (length <= maxExpandedLength || length === Number.POSITIVE_INFINITY) return;
    const limit = maxExpandedLength.toLocaleString('en');
    report(path, `The SQL of ${what} is longer than ${limit} characters when its references are replaced`);
  }

  #base(
    cube: Located<CubeSource>,
    cubeTitle: string,
    member: DimensionSource | MeasureSource | SegmentSource,
    { path, place }: MemberPlace,
  ) {
    const { source, report } = cube;
    const shortTitle = member.title ?? titleize(member.name);
    if (member.sql !== undefined) checkSql(this.#references, cube, [...path, 'sql'], member.sql, place);
    const reads = this.#references.reads(source.name, member.name);
    if (reads === undefined) report([...path, 'sql'], `${member.name} refers to itself, or to a member that does`);
    const length = this.#references.expandedLength(source.name, member.name);
    this.#checkLength(cube, [...path, 'sql'], member.name, length);
    return {
      path: `${source.name}.${member.name}`,
      entity: source.name,
      name: member.name,
      title: `${cubeTitle} ${shortTitle}`,
      shortTitle,
      reads: reads ?? new Set([source.name]),
      readMembers: this.#references.readMembers(source.name, member.name),
      subQuery: this.#references.anyReferenced(source.name, member.name, ({ sub_query }) => sub_query === true),
      ...descriptiveFields(member, ['description', 'meta']),
    };
  }

  #dimension(cube: Located<CubeSource>, cubeTitle: string, source: DimensionSource, index: number): MemberDefinition {
    const path = ['dimensions', index];
    this.#checkSubQuery(cube, source, path);
    const granularities = new Map<string, Granularity>();
    source.granularities?.forEach((own, place) => {
      const at = [...path, 'granularities', place];
      const wrong = granularityProblem(own);
      if (wrong !== undefined) cube.report(at, `${own.name} ${wrong}`);
      if (source.type !== 'time') cube.report(at, 'only a time dimension can have granularities');
      if (isReserved(own.name) || isPredefined(own.name)) cube.report(at, `${own.name} is a reserved name`);
      const { name, interval } = own;
      granularities.set(name, {
        name,
        interval,
        title: own.title ?? titleize(name),
        ...descriptiveFields(own, ['offset', 'origin']),
      });
    });
    const primaryKey = source.primary_key ?? false;
    if (source.key !== undefined && !this.#references.isDimension(cube.source.name, source.key))
      cube.report([...path, 'key'], `${source.key} is not a dimension of ${cube.source.name}`);
    const format = formatOf(source.format, source.type);
    return {
      kind: 'dimension',
      ...this.#base(cube, cubeTitle, source, {
        path,
        place: source.sub_query === true ? SqlPlace.subQuery : SqlPlace.row,
      }),
      type: source.type,
      public: source.public ?? !primaryKey,
      primaryKey,
      suggestFilterValues: source.suggest_filter_values ?? true,
      ...(source.key === undefined ? {} : { key: `${cube.source.name}.${source.key}` }),
      propagatesFilters: source.propagate_filters_to_sub_query ?? false,
      zoned: this.#isZoned(cube.source.name, source),
      granularities,
      ...descriptiveFields(source, ['currency', 'order']),
      ...(format === undefined ? {} : { format }),
    };
  }

  /**
   * Whether filters compare the dimension in UTC although rows use the query's time zone. True if it is derived from a
   * time. For plain times, filters convert their values instead.
   */
  #isZoned(cube: string, { name, type, sub_query }: DimensionSource): boolean {
    if (type === 'time') return sub_query === true;
    return this.#references.anyReferenced(cube, name, member => 'type' in member && member.type === 'time');
  }

  #checkSubQuery({ source: cube, report }: Located<CubeSource>, source: DimensionSource, path: SourcePath): void {
    if (source.sub_query !== true) {
      if (source.propagate_filters_to_sub_query !== undefined)
        report([...path, 'propagate_filters_to_sub_query'], 'requires sub_query: true');
      return;
    }
    if (!this.#references.referencesMeasure(cube.name, source.sql))
      report([...path, 'sql'], 'a sub_query requires a measure, such as {cube.measure}');
    if (cube.dimensions?.every(dimension => dimension.primary_key !== true) === true)
      report([...path, 'sub_query'], `a sub_query requires a dimension of ${cube.name} with primary_key: true`);
    if (this.#references.anyReferenced(cube.name, source.name, ({ rolling_window }) => rolling_window !== undefined))
      report([...path, 'sql'], 'a sub_query does not support a measure with rolling_window');
    if (source.primary_key === true) report([...path, 'primary_key'], 'a sub_query cannot be a primary key');
  }

  #measure(cube: Located<CubeSource>, cubeTitle: string, source: MeasureSource, index: number): MemberDefinition {
    const path = ['measures', index];
    const type = typeOfMeasure(source.type);
    if (source.rolling_window !== undefined && isCalculated(source.type))
      cube.report([...path, 'rolling_window'], `a measure of type ${source.type} does not support rolling_window`);
    if (source.sql === undefined && source.type !== 'count')
      cube.report([...path, 'sql'], `a measure of type ${source.type} requires sql`);
    source.filters?.forEach((filter, place) => {
      checkSql(this.#references, cube, [...path, 'filters', place, 'sql'], filter.sql, SqlPlace.condition);
    });
    const drillMembers = (source.drill_members ?? []).map((memberPath, place) => {
      const reference = this.#references.resolve(cube.source.name, memberPath.split('.'));
      if (reference?.kind === 'member') return `${reference.cube}.${reference.member}`;
      cube.report([...path, 'drill_members', place], `${memberPath} is not a member`);
      return memberPath;
    });
    const format = formatOf(source.format, type);
    return {
      kind: 'measure',
      ...this.#base(cube, cubeTitle, source, {
        path,
        place: isCalculated(source.type) ? SqlPlace.calculation : SqlPlace.row,
      }),
      type,
      aggType: camel(source.type),
      cumulative: source.rolling_window !== undefined,
      countsRows: countsRows(source),
      public: source.public ?? true,
      drillMembers,
      ...descriptiveFields(source, ['currency']),
      ...(format === undefined ? {} : { format }),
    };
  }

  #segment(cube: Located<CubeSource>, cubeTitle: string, source: SegmentSource, index: number): MemberDefinition {
    return {
      kind: 'segment',
      ...this.#base(cube, cubeTitle, source, { path: ['segments', index], place: SqlPlace.row }),
      public: source.public ?? true,
    };
  }
}

function typeOfMeasure(type: MeasureSource['type']): DimensionDefinition['type'] {
  return type === 'string' || type === 'time' || type === 'boolean' ? type : 'number';
}

/** Whether the SQL of a measure itself contains the aggregates. */
function isCalculated(type: MeasureSource['type']): boolean {
  return ['number', 'string', 'time', 'boolean'].includes(type);
}

function countsRows({ type, sql, filters = [], rolling_window }: MeasureSource): boolean {
  return type === 'count' && sql === undefined && filters.length === 0 && rolling_window === undefined;
}

/** Converts the name of an aggregate to camel case, which responses use. */
function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
