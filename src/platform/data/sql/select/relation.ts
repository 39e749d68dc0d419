import type { Access } from '../../model/access-control.js';
import {
  type EntityDefinition,
  type MeasureDefinition,
  type MemberDefinition,
  MemberKind,
} from '../../model/definition.js';
import { findByName } from '../scope.js';
import type { MemberTypes } from '../sql-model.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { CubeColumn, CubeQuery, Expression, MeasureValue, OutputColumn, Source } from '../tree.js';

/** An item of FROM with its columns. */
export interface Relation {
  /** `undefined` for a select without an alias, whose columns can only be referenced without a table name. */
  readonly name: string | undefined;
  readonly source: number;
  /** Returns the names of all columns. */
  readonly names: readonly string[];
  /** Returns the columns with this name, or an empty array. */
  find(name: string): readonly NamedColumn[];
  /** Returns the columns that `*` expands to. */
  all(): readonly NamedColumn[];
}

/** A column of a relation. */
export interface NamedColumn {
  readonly name: string;
  /** The measure, if the column is a measure of a cube or view. */
  readonly measure?: NamedMeasure;
  /** @param at - location of the reference. */
  value(at: number | undefined): Expression;
}

/** A measure with its cube or view in FROM. */
export interface NamedMeasure {
  readonly relation: CubeRelation;
  readonly definition: MeasureDefinition;
}

/** A select in FROM, or a table of WITH. */
export class TableRelation implements Relation {
  constructor(
    readonly name: string | undefined,
    readonly source: number,
    readonly columns: readonly OutputColumn[],
  ) {}

  get names(): readonly string[] {
    return this.columns.map(({ name }) => name);
  }

  find(name: string): readonly NamedColumn[] {
    return findByName(this.all(), name, column => column.name);
  }

  all(): readonly NamedColumn[] {
    const { source } = this;
    return this.columns.map(({ name, type }, column) => ({
      name,
      value: () => ({ kind: 'column', source, column, type }),
    }));
  }
}

type ValueMember = Exclude<MemberDefinition, { kind: 'segment' }>;
type Segment = Extract<MemberDefinition, { kind: 'segment' }>;

/** The part of the model that relations use. */
export interface CubeScope {
  readonly access: Access;
  readonly types: ReadonlyMap<string, MemberTypes>;
  /** Collector for all queries of cubes and views in the statement. */
  readonly queries: CubeQuery[];
}

/** A cube or view in FROM. Its query has only the columns that the select uses. */
export class CubeRelation implements Relation {
  /** Whether the select queries measures. Names then resolve to members instead of columns. */
  grouped = false;
  readonly #columns: CubeColumn[] = [];
  readonly #members: readonly ValueMember[];
  readonly #segments: readonly Segment[];
  readonly #scope: CubeScope;

  constructor(
    readonly name: string,
    readonly source: number,
    readonly entity: EntityDefinition,
    scope: CubeScope,
  ) {
    this.#scope = scope;
    const visible = [...entity.members.values()].filter(({ path }) => scope.access.members.has(path));
    this.#members = visible.filter(member => member.kind !== MemberKind.segment);
    this.#segments = visible.filter(member => member.kind === MemberKind.segment);
  }

  get names(): readonly string[] {
    return [...this.#members, ...this.#segments].map(({ name }) => name);
  }

  find(name: string): readonly NamedColumn[] {
    const all: readonly MemberDefinition[] = [...this.#members, ...this.#segments];
    return findByName(all, name, member => member.name).map(member =>
      member.kind === MemberKind.segment
        ? { name: member.name, value: () => this.#truth(member) }
        : this.#toNamedColumn(member),
    );
  }

  /** Returns the dimensions, followed by the measures with a value per row. */
  all(): readonly NamedColumn[] {
    const hasRows = (member: ValueMember) => this.#scope.types.get(member.path)?.row != null;
    const isMeasure = (member: ValueMember) => member.kind === MemberKind.measure;
    const members = this.#members.filter(hasRows);
    return [...members.filter(one => !isMeasure(one)), ...members.filter(isMeasure)].map(one =>
      this.#toNamedColumn(one),
    );
  }

  /** Returns the value of a measure for a group of rows. */
  measure({ path }: MeasureDefinition): MeasureValue {
    return { kind: 'measure', path, type: this.#scope.types.get(path)?.group ?? SqlType.other };
  }

  /** Returns the measure that counts all rows. For a view, these are the rows of the root cube. */
  counting(): MeasureValue | undefined {
    const counting = this.#members.find(
      member => member.kind === MemberKind.measure && member.countsRows && member.joinPath?.includes('.') !== true,
    );
    return counting && { kind: 'measure', path: counting.path, type: SqlType.bigint };
  }

  /** Returns the index of a column, and requests the column if it is new. */
  place(column: CubeColumn): number {
    const key = JSON.stringify(column);
    const index = this.#columns.findIndex(one => JSON.stringify(one) === key);
    return index >= 0 ? index : this.#columns.push(column) - 1;
  }

  /** Returns a column of this source, as expressions refer to it. */
  column(column: CubeColumn): Expression {
    return { kind: 'column', source: this.source, column: this.place(column), type: column.type };
  }

  get columns(): readonly CubeColumn[] {
    return this.#columns;
  }

  /** Removes all requested columns after the first `count` columns. */
  keep(count: number): void {
    this.#columns.length = Math.min(count, this.#columns.length);
  }

  /** Returns the final query of the cube as a source of FROM. */
  toSource({ filters, conditions }: Pick<CubeQuery, 'filters' | 'conditions'>): Source {
    const { source, grouped, entity } = this;
    if (this.#columns.length === 0) this.place(this.#anyColumn());
    const columns = [...this.#columns];
    const query = { entity: entity.name, grouped, columns, filters, conditions };
    this.#scope.queries.push(query);
    return { kind: 'cube', source, query };
  }

  /**
   * Returns a column for a select that uses none. A view has no default column, because its rows depend on the columns.
   */
  #anyColumn(): CubeColumn {
    if (this.grouped) throw new SqlProblem('GROUP BY () requires an aggregate');
    const own = this.#members.find(
      ({ kind, reads }) =>
        kind === MemberKind.dimension &&
        this.entity.type === 'cube' &&
        [...reads].every(cube => cube === this.entity.name),
    );
    if (own === undefined)
      throw new SqlProblem(`A query of ${this.entity.name} requires a column: select a dimension or a measure`);
    return { kind: 'dimension', path: own.path, type: SqlType.other };
  }

  #toNamedColumn(member: ValueMember): NamedColumn {
    const { name, kind } = member;
    const measure = kind === MemberKind.measure && { measure: { relation: this, definition: member } };
    return { name, ...measure, value: at => this.#value(member, at) };
  }

  #value(member: ValueMember, at: number | undefined): Expression {
    const { path, kind } = member;
    if (this.grouped && kind === MemberKind.measure)
      throw new SqlProblem(`${path} is a measure: write MEASURE(${member.name})`, at);
    const type = this.#rowType(member, at);
    if (this.grouped) return { kind: 'member', path, type };
    return this.column({ kind, path, type });
  }

  /** Returns a boolean expression that is true for the rows of a segment. */
  #truth({ path }: Segment): Expression {
    const type = SqlType.boolean;
    const value = { kind: 'member', path, type } as const;
    return this.grouped ? value : this.column({ kind: 'computed', value, type });
  }

  #rowType({ path, name }: ValueMember, at?: number) {
    const type = this.#scope.types.get(path)?.row;
    if (type) return type;
    throw new SqlProblem(`${path} has no value per row: write MEASURE(${name})`, at);
  }
}
