import type { MetaCube, MetaHierarchy, MetaResponse } from '../../contract/meta.js';
import { humanizeName } from '../query/member-names.js';

/** Role of a member in a query. */
export type MemberKind = 'measure' | 'time' | 'dimension' | 'segment';

/** A member of the model that a query can use. */
export interface Member {
  /** Full name: `view.member`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: MemberKind;
  /** `string`, `number`, `boolean` or `time`; empty for segments. */
  readonly type: string;
  /** Whether a measure counts rows. */
  readonly counts: boolean;
  /** Granularities of a time dimension that the model defines in addition to the predefined ones. */
  readonly granularities: readonly { readonly name: string; readonly title: string }[];
}

/** A view or cube and its members, in the order of the model. */
export interface MemberSource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly members: readonly Member[];
  /** Dimensions from coarse to fine. */
  readonly hierarchies: readonly Hierarchy[];
}

/** Dimensions of a view from coarse to fine. */
export interface Hierarchy {
  readonly title: string;
  /** Names of the dimensions, without those that are not visible. A dimension belongs to the first hierarchy. */
  readonly levels: readonly string[];
}

/** Granularities that every time dimension has, from coarse to fine. */
export const granularities = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

const isShown = (entry: { isVisible?: boolean | null | undefined; public?: boolean | null | undefined }): boolean =>
  entry.isVisible !== false && entry.public !== false;

/** Returns the views and cubes of a model with at least one visible member; views come first. */
export function readModel({ cubes }: MetaResponse): readonly MemberSource[] {
  const isView = ({ type }: MetaCube): boolean => type === 'view';
  const sources = [...cubes.filter(isView), ...cubes.filter(cube => !isView(cube))].filter(isShown).map(readSource);
  return sources.filter(({ members }) => members.length > 0);
}

function readSource({ name, title, description, measures, dimensions, segments, hierarchies }: MetaCube): MemberSource {
  const common = (entry: {
    name: string;
    title: string;
    shortTitle: string;
    description?: string | null | undefined;
  }) => ({
    name: entry.name,
    title: entry.shortTitle || entry.title,
    description: entry.description ?? '',
    counts: false,
    granularities: [],
  });
  return {
    name,
    title,
    description: description ?? '',
    hierarchies: readHierarchies(hierarchies ?? [], new Set(dimensions.filter(isShown).map(each => each.name))),
    members: [
      ...measures.filter(isShown).map(each => ({
        ...common(each),
        kind: 'measure' as const,
        type: each.type,
        counts: each.aggType === 'count',
      })),
      ...dimensions.filter(isShown).map(each => ({
        ...common(each),
        kind: each.type === 'time' ? ('time' as const) : ('dimension' as const),
        type: each.type,
        granularities: (each.granularities ?? []).filter(
          ({ name: own }) => !granularities.some(known => known === own),
        ),
      })),
      ...segments.filter(isShown).map(each => ({ ...common(each), kind: 'segment' as const, type: '' })),
    ],
  };
}

function readHierarchies(hierarchies: readonly MetaHierarchy[], visible: ReadonlySet<string>): readonly Hierarchy[] {
  const placed = new Set<string>();
  return hierarchies.filter(isShown).flatMap(({ name, title, levels }) => {
    const own = levels.filter(level => visible.has(level) && !placed.has(level));
    for (const level of own) placed.add(level);
    // One level alone has no order.
    return own.length > 1 ? [{ title: title || humanizeName(name.split('.').at(-1) ?? name), levels: own }] : [];
  });
}

/** Returns the sources with the members whose title, name or description contains all words of `search`. */
export function searchMembers(sources: readonly MemberSource[], search: string): readonly MemberSource[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sources;
  const matches = (source: MemberSource, { title, name, description }: Member): boolean => {
    const text = `${source.title} ${title} ${name} ${description}`.toLowerCase();
    return words.every(word => text.includes(word));
  };
  return sources
    .map(source => ({ ...source, members: source.members.filter(member => matches(source, member)) }))
    .filter(({ members }) => members.length > 0);
}

/** Returns all members by name. */
export function membersByName(sources: readonly MemberSource[]): ReadonlyMap<string, Member> {
  return new Map(sources.flatMap(({ members }) => members.map(member => [member.name, member] as const)));
}
