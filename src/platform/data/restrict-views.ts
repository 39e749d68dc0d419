import type { MetaResponse } from '../../contract/meta.js';
import type { Filter, Query } from '../../contract/query.js';
import { PlatformError } from '../errors.js';
import type { CallerData } from './caller-data.js';

/**
 * Restricts the data of a caller to some cubes and views. All other cubes and views are treated as unknown. The
 * policies of the model still apply, so the restriction never adds access.
 */
export function restrictViews(data: CallerData, views: readonly string[]): CallerData {
  const allowed = new Set(views);
  return {
    async meta() {
      return restrictMeta(await data.meta(), allowed);
    },
    async load(query, options) {
      for (const member of membersOf(query)) {
        if (!allowed.has(cubeOf(member))) throw new PlatformError(400, `${member} is not a member of the model`);
      }
      for (const cube of query.joinHints?.flat() ?? []) {
        if (!allowed.has(cube)) throw new PlatformError(400, `joinHints: ${cube} is not a cube of the model`);
      }
      return data.load(query, options);
    },
  };
}

function restrictMeta({ cubes, ...rest }: MetaResponse, allowed: ReadonlySet<string>): MetaResponse {
  const visible = cubes.filter(({ name }) => allowed.has(name));
  return {
    ...rest,
    cubes: visible.map(cube =>
      cube.joins ? { ...cube, joins: cube.joins.filter(({ name }) => allowed.has(name)) } : cube,
    ),
  };
}

function cubeOf(member: string): string {
  return member.split('.', 1)[0] ?? '';
}

/** Returns every member that a query names. */
function membersOf(query: Query): readonly string[] {
  const { measures = [], dimensions = [], segments = [], timeDimensions = [], filters = [], order = [] } = query;
  const ordered = Array.isArray(order)
    ? order.map(item => (Array.isArray(item) ? item[0] : item.id))
    : Object.keys(order);
  return [
    ...measures,
    ...dimensions,
    ...segments,
    ...timeDimensions.map(({ dimension }) => dimension),
    ...filters.flatMap(filteredMembers),
    ...ordered,
  ];
}

function filteredMembers(filter: Filter): readonly string[] {
  if ('and' in filter) return filter.and.flatMap(filteredMembers);
  return 'or' in filter ? filter.or.flatMap(filteredMembers) : [filter.member];
}
