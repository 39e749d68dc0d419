import type { SqlTemplate } from './definition.js';
import type { Located, SourcePath } from './model-files.js';
import { type CubeSource, predefinedGranularities } from './model-schema.js';
import type { ModelSources } from './model-sources.js';
import { isTemplateKeyword } from './reserved-words.js';

/** Part of a member's SQL: text, or the path of a `{reference}`. */
type SqlPiece = string | readonly string[];

const reference = /^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,2}\s*$/;

/**
 * Splits SQL of a model at its references (`{CUBE}`, `{member}`, `{cube.member}`, `{cube.time.month}`). Returns
 * `undefined` if it contains any other brace.
 */
export function parseTemplate(sql: string): readonly SqlPiece[] | undefined {
  const pieces: SqlPiece[] = [];
  for (const [index, part] of sql.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      if (/[{}]/.test(part)) return undefined;
      if (part !== '') pieces.push(part);
    } else {
      if (!reference.test(part)) return undefined;
      pieces.push(part.trim().split('.'));
    }
  }
  return pieces;
}

/** Target of a reference. */
type Reference =
  | { readonly kind: 'cube'; readonly cube: string }
  | { readonly kind: 'member'; readonly cube: string; readonly member: string };

type Member = {
  readonly name: string;
  readonly sql?: string | undefined;
  readonly sub_query?: boolean | undefined;
  readonly rolling_window?: object | undefined;
};

/** Directions in which to follow joins. */
const JoinTraversal = { along: 'along', either: 'either' } as const;
/** Directions in which to follow joins. */
type JoinTraversal = (typeof JoinTraversal)[keyof typeof JoinTraversal];

/** Resolves references of a model and finds the cubes and members that they read. */
export class References {
  readonly #sources: ModelSources;
  readonly #reads = new Map<string, ReadonlySet<string> | 'pending'>();
  readonly #lengths = new Map<string, number>();
  readonly #templates = new Map<string, readonly SqlPiece[] | undefined>();

  constructor(sources: ModelSources) {
    this.#sources = sources;
  }

  /** Splits SQL as `parseTemplate`. Cached, because several checks split the SQL of each member. */
  parse(sql: string): readonly SqlPiece[] | undefined {
    if (this.#templates.has(sql)) return this.#templates.get(sql);
    const pieces = parseTemplate(sql);
    this.#templates.set(sql, pieces);
    return pieces;
  }

  /** Resolves a reference inside a cube; `undefined` if it doesn't exist. */
  resolve(cube: string, parts: readonly string[]): Reference | undefined {
    const [first = '', second, third] = parts;
    const named = this.#sources.cubes.has(first) ? first : undefined;
    const entity = first === 'CUBE' ? cube : named;
    if (entity === undefined) {
      if (second !== undefined && !this.#hasGranularity(cube, first, second)) return undefined;
      return third === undefined && this.member(cube, first) ? { kind: 'member', cube, member: first } : undefined;
    }
    if (second === undefined) return { kind: 'cube', cube: entity };
    if (third !== undefined && !this.#hasGranularity(entity, second, third)) return undefined;
    return this.member(entity, second) ? { kind: 'member', cube: entity, member: second } : undefined;
  }

  /** Whether the model has a cube of this name. */
  isCube(name: string): boolean {
    return this.#sources.cubes.has(name);
  }

  /** Whether a cube has a dimension of this name. */
  isDimension(cube: string, name: string): boolean {
    return this.#sources.cubes.get(cube)?.source.dimensions?.some(dimension => dimension.name === name) === true;
  }

  /** Whether a cube has a measure of this name. */
  isMeasure(cube: string, name: string): boolean {
    return this.#sources.cubes.get(cube)?.source.measures?.some(measure => measure.name === name) === true;
  }

  /** Returns a dimension, measure or segment of a cube. */
  member(cube: string, name: string): Member | undefined {
    const source = this.#sources.cubes.get(cube)?.source;
    const named = (list: readonly Member[] | undefined) => list?.find(member => member.name === name);
    return named(source?.dimensions) ?? named(source?.measures) ?? named(source?.segments);
  }

  /** Returns the cubes that a member reads, including its own; `undefined` for circular references. */
  reads(cube: string, name: string): ReadonlySet<string> | undefined {
    const key = `${cube}.${name}`;
    const cached = this.#reads.get(key);
    if (cached !== undefined) return cached === 'pending' ? undefined : cached;
    this.#reads.set(key, 'pending');
    const cubes = new Set([cube]);
    const traversal = this.member(cube, name)?.sub_query === true ? JoinTraversal.either : JoinTraversal.along;
    for (const { cube: other, ...reference } of this.#referencesOf(cube, name)) {
      for (const step of this.joinPath(cube, other, traversal) ?? []) cubes.add(step);
      const inner = reference.kind === 'member' ? this.reads(other, reference.member) : [other];
      if (inner === undefined) return undefined;
      for (const read of inner) cubes.add(read);
    }
    this.#reads.set(key, cubes);
    return cubes;
  }

  /** Whether a member, or any member that it references, satisfies the predicate. */
  anyReferenced(cube: string, name: string, predicate: (member: Member) => boolean): boolean {
    const open = new Map([[`${cube}.${name}`, { cube, name }]]);
    for (const { cube: owner, name: member } of open.values()) {
      const found = this.member(owner, member);
      if (found !== undefined && predicate(found)) return true;
      for (const to of this.#referencesOf(owner, member))
        if (to.kind === 'member') open.set(`${to.cube}.${to.member}`, { cube: to.cube, name: to.member });
    }
    return false;
  }

  /** Whether SQL of a cube references a measure. */
  referencesMeasure(cube: string, sql: string): boolean {
    return (this.parse(sql) ?? []).some(piece => {
      const reference = typeof piece === 'string' ? undefined : this.resolve(cube, piece);
      if (reference?.kind !== 'member') return false;
      return this.isMeasure(reference.cube, reference.member);
    });
  }

  /** Returns the cubes on the shortest join path between two cubes, inclusive. */
  joinPath(from: string, to: string, traversal: JoinTraversal): readonly string[] | undefined {
    return this.path(from, to) ?? (traversal === JoinTraversal.either ? this.path(to, from) : undefined);
  }

  /** Returns the cubes on the shortest join path from one cube to another, inclusive. */
  path(from: string, to: string): readonly string[] | undefined {
    const paths: string[][] = [[from]];
    const seen = new Set([from]);
    for (const path of paths) {
      const last = path.at(-1) ?? from;
      if (last === to) return path;
      for (const { name } of this.#sources.cubes.get(last)?.source.joins ?? []) {
        if (seen.has(name)) continue;
        seen.add(name);
        paths.push([...path, name]);
      }
    }
    return undefined;
  }

  /** Returns the SQL of a dimension over its own cube's columns; `undefined` if it reads another cube or itself. */
  ownSql(cube: string, name: string, depth = 0): SqlTemplate | undefined {
    const member = this.member(cube, name);
    const pieces = this.parse(member?.sql ?? '');
    if (pieces === undefined || member?.sub_query === true || depth > 20) return undefined;
    const sql: (string | null)[] = [];
    for (const piece of pieces) {
      const inner = this.#ownPiece(cube, piece, depth);
      if (inner === undefined) return undefined;
      sql.push(...inner);
    }
    return ['(', ...sql, ')'];
  }

  #ownPiece(cube: string, piece: SqlPiece, depth: number): SqlTemplate | undefined {
    if (typeof piece === 'string') return [piece];
    const reference = this.resolve(cube, piece);
    if (reference?.cube !== cube) return undefined;
    return reference.kind === 'cube' ? [null] : this.ownSql(cube, reference.member, depth + 1);
  }

  /** Returns the paths of all members that a member references, directly or indirectly. */
  readMembers(cube: string, name: string): ReadonlySet<string> {
    const found = new Set<string>();
    const rest: (readonly [cube: string, name: string])[] = [[cube, name]];
    for (let next = rest.pop(); next; next = rest.pop()) {
      for (const reference of this.#referencesOf(...next)) {
        if (reference.kind !== 'member') continue;
        const path = `${reference.cube}.${reference.member}`;
        if (!found.has(path)) rest.push([reference.cube, reference.member]);
        found.add(path);
      }
    }
    return found;
  }

  /**
   * Returns the length of the SQL of a member after its references are replaced; `Infinity` for circular references.
   * Cached, because a chain of members that each reference the previous one twice has exponential length.
   */
  expandedLength(cube: string, name: string): number {
    const key = `${cube}.${name}`;
    const cached = this.#lengths.get(key);
    if (cached !== undefined) return cached;
    // A circular reference reads this value.
    this.#lengths.set(key, Number.POSITIVE_INFINITY);
    const parts = this.#sqlOf(cube, name);
    // A count without SQL can count the primary key.
    if (this.member(cube, name)?.sql === undefined) parts.push(...this.#primaryKeysOf(cube));
    const length = parts.reduce((sum, sql) => sum + this.expandedSqlLength(cube, sql), 0);
    this.#lengths.set(key, length);
    return length;
  }

  /** Returns the length of SQL of a cube after its references are replaced. */
  expandedSqlLength(cube: string, sql: string): number {
    return (this.parse(sql) ?? []).reduce((sum, piece) => {
      if (typeof piece === 'string') return sum + piece.length;
      const to = this.resolve(cube, piece);
      return sum + piece.join('.').length + (to?.kind === 'member' ? this.expandedLength(to.cube, to.member) : 0);
    }, 0);
  }

  #referencesOf(cube: string, name: string): Reference[] {
    return this.#sqlOf(cube, name).flatMap(sql =>
      (this.parse(sql) ?? []).flatMap(piece => (typeof piece === 'string' ? [] : (this.resolve(cube, piece) ?? []))),
    );
  }

  /** Returns the SQL of a member and its filters. */
  #sqlOf(cube: string, name: string): string[] {
    const { sql } = this.member(cube, name) ?? {};
    const filters =
      this.#sources.cubes.get(cube)?.source.measures?.find(measure => measure.name === name)?.filters ?? [];
    return [...(sql === undefined ? [] : [sql]), ...filters.map(filter => filter.sql)];
  }

  #primaryKeysOf(cube: string): string[] {
    const dimensions = this.#sources.cubes.get(cube)?.source.dimensions ?? [];
    return dimensions.flatMap(({ primary_key, sql }) => (primary_key === true ? [sql] : []));
  }

  #hasGranularity(cube: string, dimension: string, name: string): boolean {
    const source = this.#sources.cubes.get(cube)?.source.dimensions?.find(member => member.name === dimension);
    return (
      source?.type === 'time' && (isPredefined(name) || source.granularities?.some(own => own.name === name) === true)
    );
  }
}

const predefined: ReadonlySet<string> = new Set(predefinedGranularities);

/** Whether a granularity is predefined, so that every time dimension has it. */
export function isPredefined(name: string): boolean {
  return predefined.has(name);
}

/** Location of SQL in a cube, which determines what the SQL may reference. */
export const SqlPlace = {
  /** A value per row: a dimension, a segment, or the argument of a measure. */
  row: 'row',
  /** A condition of a join or measure. */
  condition: 'condition',
  /** A measure calculated from other measures. */
  calculation: 'calculation',
  /** A measure of another cube, calculated per row. */
  subQuery: 'sub-query',
} as const;
/** Location of SQL in a cube, which determines what the SQL may reference. */
export type SqlPlace = (typeof SqlPlace)[keyof typeof SqlPlace];

/** Reports references in SQL of a cube that can't be resolved or aren't allowed there. */
export function checkSql(
  references: References,
  { source, report }: Located<CubeSource>,
  path: SourcePath,
  sql: string,
  place: SqlPlace,
): void {
  const pieces = references.parse(sql);
  if (pieces === undefined) {
    report(path, 'braces can only contain CUBE, a member, cube.member or cube.member.granularity');
    return;
  }
  const traversal = place === SqlPlace.subQuery ? JoinTraversal.either : JoinTraversal.along;
  for (const piece of pieces) {
    if (typeof piece === 'string') continue;
    const written = `{${piece.join('.')}}`;
    const to = references.resolve(source.name, piece);
    if (piece.some(isTemplateKeyword)) report(path, `${written} uses a reserved word: rename it`);
    else if (to === undefined) report(path, `${written} is not a cube or a member`);
    else if (references.joinPath(source.name, to.cube, traversal) === undefined)
      report(path, `${written}: no join path from ${source.name} to ${to.cube}`);
    else if (to.kind === 'cube' && to.cube !== source.name && place !== SqlPlace.condition)
      report(path, `${written} is another cube: reference a member of it, such as {${to.cube}.name}`);
    else if (to.kind === 'member' && references.isMeasure(to.cube, to.member) && isPerRow(place))
      report(path, `${written} is a measure: only measures of type number and sub_query dimensions can use measures`);
  }
}

function isPerRow(place: SqlPlace): boolean {
  return place === SqlPlace.row || place === SqlPlace.condition;
}
