import type { ReportSnapshot } from '../contract/dashboards.js';
import type { MetaResponse } from '../contract/meta.js';
import type { MemberType } from './filter-condition.js';

/** What a model says of a member, as far as controls need it. */
export interface MemberFacts {
  readonly type: MemberType;
  /** `shortTitle` of the model. */
  readonly title: string;
}

/** Facts of all members that the viewer sees, by name. */
export type ModelFacts = ReadonlyMap<string, MemberFacts>;

/** Facts of the members of a model. */
export function modelFacts({ cubes }: MetaResponse): ModelFacts {
  const members = cubes.flatMap(({ dimensions = [], measures = [] }) => [...dimensions, ...measures]);
  return new Map(members.map(({ name, type, shortTitle }) => [name, { type: memberType(type), title: shortTitle }]));
}

/** Members that reports use as times: so much is known before the model is. */
export function timesOf(snapshots: readonly ReportSnapshot[]): ReadonlySet<string> {
  const times = snapshots.flatMap(({ meta }) => {
    const listed: unknown = meta?.jsonQuery?.timeDimensions;
    return Array.isArray(listed) ? listed.map((time: { dimension?: unknown } | null) => time?.dimension) : [];
  });
  return new Set(times.filter(name => typeof name === 'string'));
}

function memberType(type: string): MemberType {
  return type === 'time' || type === 'boolean' || type === 'string' ? type : type === 'number' ? 'number' : 'string';
}
