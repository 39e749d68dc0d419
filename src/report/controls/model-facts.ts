import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { MemberAnnotation } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { MemberType } from './filter-condition.js';

/** Facts about a member of the model that controls need. */
export interface MemberFacts {
  readonly type: MemberType;
  /** `shortTitle` of the model. */
  readonly title: string;
  /** True for a measure that counts rows. */
  readonly counts: boolean;
  /** `meta` of a dimension. */
  readonly meta?: MemberAnnotation['meta'];
}

/** Facts about all members that the viewer can see, by name. */
export type ModelFacts = ReadonlyMap<string, MemberFacts>;

/** Returns the facts about the members of a model. */
export function modelFacts({ cubes }: MetaResponse): ModelFacts {
  return new Map(
    cubes.flatMap(({ dimensions = [], measures = [] }) => [
      ...dimensions.map(({ name, type, shortTitle, meta }) => [name, factsOf(type, shortTitle, { meta })] as const),
      ...measures.map(
        ({ name, type, shortTitle, aggType }) =>
          [name, factsOf(type, shortTitle, { counts: aggType === 'count' })] as const,
      ),
    ]),
  );
}

/** Returns the measure that counts the rows of a view or cube; `null` if it has none. */
export function counterOf(facts: ModelFacts, view: string): string | null {
  for (const [name, { counts }] of facts) if (counts && name.startsWith(`${view}.`)) return name;
  return null;
}

/** Returns the members that reports use as time dimensions. Available before the model is loaded. */
export function timesOf(snapshots: readonly ReportSnapshot[]): ReadonlySet<string> {
  const times = snapshots.flatMap(({ meta }) => {
    const listed: unknown = meta?.jsonQuery?.timeDimensions;
    return Array.isArray(listed) ? listed.map((time: { dimension?: unknown } | null) => time?.dimension) : [];
  });
  return new Set(times.filter(name => typeof name === 'string'));
}

function factsOf(
  type: string,
  title: string,
  { counts = false, meta }: { readonly counts?: boolean; readonly meta?: MemberAnnotation['meta'] },
): MemberFacts {
  const isKnown = type === 'time' || type === 'boolean' || type === 'number';
  return { type: isKnown ? type : 'string', title, counts, meta };
}
