import type { MemberFormat } from '../../../contract/data.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { MemberType } from './conditions.js';
import type { Policy } from './policy.js';

/** Role of a member in a query. */
export const MemberKind = { measure: 'measure', dimension: 'dimension', segment: 'segment' } as const;
/** Role of a member in a query. */
export type MemberKind = (typeof MemberKind)[keyof typeof MemberKind];

/** A custom granularity of a time dimension. */
export type Granularity = {
  readonly name: string;
  readonly title: string;
  readonly interval: string;
  readonly offset?: string;
  readonly origin?: string;
};

interface MemberBase {
  /** Path as in queries: `cube.member`. */
  readonly path: string;
  readonly entity: string;
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly description?: string;
  readonly meta?: JsonObject;
  /** Whether callers may query the member. */
  readonly public: boolean;
  /** Cubes whose rows the member reads. */
  readonly reads: ReadonlySet<string>;
  /** Paths of the members that the member is built from. */
  readonly readMembers: ReadonlySet<string>;
  /** Whether the member, or a member that it references, requires a sub-query. */
  readonly subQuery: boolean;
  /** For members of views: path of the member of a cube that it refers to. */
  readonly target?: string;
  /** For members of views: names of the joined cubes up to that of `target`, separated by dots. */
  readonly joinPath?: string;
}

interface ValueMember extends MemberBase {
  readonly type: MemberType;
  readonly format?: MemberFormat;
  readonly currency?: string;
}

/** A measure: an aggregate over rows. */
export interface MeasureDefinition extends ValueMember {
  readonly kind: typeof MemberKind.measure;
  readonly aggType: string;
  /** Whether the measure has a rolling window. */
  readonly cumulative: boolean;
  /** Whether the measure counts all rows like `COUNT(*)`, without SQL, filters or a window. */
  readonly countsRows: boolean;
  /** Paths of the members to drill down to. */
  readonly drillMembers: readonly string[];
}

/** A column or expression to group and filter by. */
export interface DimensionDefinition extends ValueMember {
  readonly kind: typeof MemberKind.dimension;
  readonly primaryKey: boolean;
  /** Whether filters should suggest values of the dimension. */
  readonly suggestFilterValues: boolean;
  /** Default sort order of the dimension. */
  readonly order?: 'asc' | 'desc';
  /** Path of the dimension whose values identify those of this dimension. */
  readonly key?: string;
  /** Whether filters of the caller apply inside the sub-query of the dimension. */
  readonly propagatesFilters: boolean;
  /**
   * Whether filters of load queries compare the dimension in UTC, while rows show it in the time zone of the query.
   * True if the dimension is derived from a time.
   */
  readonly zoned: boolean;
  readonly granularities: ReadonlyMap<string, Granularity>;
}

/** A segment: a named condition. */
export interface SegmentDefinition extends MemberBase {
  readonly kind: typeof MemberKind.segment;
}

/** A member of a cube or view. */
export type MemberDefinition = MeasureDefinition | DimensionDefinition | SegmentDefinition;

/** SQL over the columns of one cube: text, with `null` as placeholder of the table alias. */
export type SqlTemplate = readonly (string | null)[];

/** A hierarchy: dimensions to drill down, from coarse to fine. */
export interface Hierarchy {
  readonly path: string;
  readonly title: string;
  readonly public: boolean;
  /** Paths of the dimensions, from coarse to fine. */
  readonly levels: readonly string[];
  /** For hierarchies of views: path of the hierarchy of a cube that it refers to. */
  readonly target?: string;
}

/** A group of members of a view. */
export interface Folder {
  readonly name: string;
  /** Paths of members, and nested folders. */
  readonly members: readonly (string | Folder)[];
}

/** A join, as in `/v1/meta`. */
export interface Join {
  readonly name: string;
  readonly relationship: 'belongsTo' | 'hasMany' | 'hasOne';
}

/** A cube or a view. */
export interface EntityDefinition {
  readonly name: string;
  readonly type: 'cube' | 'view';
  readonly title: string;
  readonly description?: string;
  readonly meta?: JsonObject;
  readonly public: boolean;
  readonly policies: readonly Policy[];
  /** Members by name, in the order of the model. */
  readonly members: ReadonlyMap<string, MemberDefinition>;
  readonly hierarchies: readonly Hierarchy[];
  /** Only for views. */
  readonly folders: readonly Folder[];
  /** Only for cubes. */
  readonly joins: readonly Join[];
}

/** A validated and resolved model. */
export interface ModelDefinition {
  readonly entities: ReadonlyMap<string, EntityDefinition>;
  /** FROM items by cube: a quoted table or a subquery. */
  readonly tables: ReadonlyMap<string, string>;
  /** SQL of dimensions that row filters of cubes use, by path. */
  readonly filterColumns: ReadonlyMap<string, SqlTemplate>;
}
