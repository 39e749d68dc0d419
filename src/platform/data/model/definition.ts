import type { MemberFormat } from '../../../contract/data.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { MemberType } from './conditions.js';
import type { Policy } from './policy.js';

/** What a caller may do with a member. */
export const MemberKind = { measure: 'measure', dimension: 'dimension', segment: 'segment' } as const;
/** What a caller may do with a member. */
export type MemberKind = (typeof MemberKind)[keyof typeof MemberKind];

/** A granularity that a time dimension defines itself. */
export type Granularity = {
  readonly name: string;
  readonly title: string;
  readonly interval: string;
  readonly offset?: string;
  readonly origin?: string;
};

interface MemberBase {
  /** `cube.member`, as callers write it. */
  readonly path: string;
  readonly entity: string;
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly description?: string;
  readonly meta?: JsonObject;
  /** False for what callers may not name. */
  readonly public: boolean;
  /** Every cube whose rows are read for this member. */
  readonly reads: ReadonlySet<string>;
  /** Paths of the members that it is made of. */
  readonly readMembers: ReadonlySet<string>;
  /** Whether rows are gathered in a query of their own, for it or for what it refers to. */
  readonly subQuery: boolean;
  /** In a view: the path of the cube's member that it stands for. */
  readonly target?: string;
  /** In a view: the joined cubes that lead to `target`, with dots between. */
  readonly joinPath?: string;
}

interface ValueMember extends MemberBase {
  readonly type: MemberType;
  readonly format?: MemberFormat;
  readonly currency?: string;
}

/** An aggregate. */
export interface MeasureDefinition extends ValueMember {
  readonly kind: typeof MemberKind.measure;
  readonly aggType: string;
  /** Whether it is counted over a window of time around each span. */
  readonly cumulative: boolean;
  /** Whether it is the plain count of all rows, which `COUNT(*)` means: without SQL, filter and window of its own. */
  readonly countsRows: boolean;
  /** Paths of the members that stand behind a number. */
  readonly drillMembers: readonly string[];
}

/** A column, or an expression over columns, to group and filter by. */
export interface DimensionDefinition extends ValueMember {
  readonly kind: typeof MemberKind.dimension;
  readonly primaryKey: boolean;
  /** Whether users are to be offered its values when they filter. */
  readonly suggestFilterValues: boolean;
  /** How its values are to be sorted. */
  readonly order?: 'asc' | 'desc';
  /** Path of the dimension whose values stand for its own. */
  readonly key?: string;
  /** Whether the caller's filters reach into the sub-query that works it out. */
  readonly propagatesFilters: boolean;
  /** Whether its values are other ones for a filter of a load query than in rows, where the zone isn't UTC: it is made of a time. */
  readonly zoned: boolean;
  readonly granularities: ReadonlyMap<string, Granularity>;
}

/** A named condition. */
export interface SegmentDefinition extends MemberBase {
  readonly kind: typeof MemberKind.segment;
}

/** A member of a cube or view. */
export type MemberDefinition = MeasureDefinition | DimensionDefinition | SegmentDefinition;

/** SQL over one cube's own columns: text, with `null` where the alias of the table goes. */
export type SqlTemplate = readonly (string | null)[];

/** Dimensions from the coarse to the fine. */
export interface Hierarchy {
  readonly path: string;
  readonly title: string;
  readonly public: boolean;
  /** Paths of dimensions. */
  readonly levels: readonly string[];
  /** In a view: the path of the cube's hierarchy that it stands for. */
  readonly target?: string;
}

/** Members of a view, put together. */
export interface Folder {
  readonly name: string;
  /** Paths of members, and folders inside. */
  readonly members: readonly (string | Folder)[];
}

/** A join as it travels. */
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
  /** By name, in the order of the model. */
  readonly members: ReadonlyMap<string, MemberDefinition>;
  readonly hierarchies: readonly Hierarchy[];
  /** Of a view. */
  readonly folders: readonly Folder[];
  /** Of a cube. */
  readonly joins: readonly Join[];
}

/** Everything that a model's files say, checked and resolved. */
export interface ModelDefinition {
  readonly entities: ReadonlyMap<string, EntityDefinition>;
  /** What stands in FROM for a cube: a quoted table, or a sub-select. */
  readonly tables: ReadonlyMap<string, string>;
  /** SQL of the dimensions that row filters of cubes name, by path. */
  readonly filterColumns: ReadonlyMap<string, SqlTemplate>;
}
