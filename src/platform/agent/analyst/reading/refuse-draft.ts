import { MemberKind } from '../vocabulary/lexicon.js';
import { type Draft, membersIn } from './draft.js';
import { impossible } from './outcome.js';
import type { Mention } from './pieces.js';
import { type Scope, segmentOf } from './resolve-members.js';

/** Rejects a grouping by rows of another cube that no column names: `orders per customer`. */
export function rejectOtherRows({ measures, by, entities }: Draft, { lexicon, joinGroup }: Scope): void {
  const cubesOf = (mention: Mention) => membersIn(mention).map(({ member }) => member.cube);
  const known = new Set([...measures, ...by].filter(one => !entities.has(one)).flatMap(cubesOf));
  const [figure] = measures.flatMap(one => membersIn(one, MemberKind.measure));
  const other = [...entities].find(mention => {
    const isCount = membersIn(mention).every(
      ({ member }) => member.aggregate === 'count' && member.joinGroup === joinGroup,
    );
    return isCount && cubesOf(mention).every(cube => !known.has(cube));
  });
  if (other === undefined || figure === undefined) return;
  const columns = [...lexicon.members.values()].filter(
    ({ cube, type, kind }) => kind === MemberKind.dimension && type === 'string' && cubesOf(other).includes(cube),
  );
  throw impossible(
    `The data model has no column that names each “${other.text}”.`,
    columns.slice(0, 3).map(({ title }) => `${figure.member.title} by ${title}`),
  );
}

/** Rejects `how many days had rain`, because no query counts days. */
export function rejectCountedGrain({ countedGrain }: Draft): void {
  if (countedGrain !== null)
    throw impossible(`I can’t count ${countedGrain}s. I can show measures by ${countedGrain}, or for a period.`);
}

/** Rejects negations that a query cannot express. */
export function rejectExclusions({ excludedSegments, unbound }: Draft, scope: Scope): void {
  if (excludedSegments.length > 0) {
    const titles = excludedSegments.flatMap(mention => segmentOf(mention, scope) ?? []).map(({ title }) => title);
    throw impossible(`I can filter for “${titles.join(', ')}”, but can’t exclude it.`);
  }
  if (unbound !== null) throw impossible(`I don’t know what “${unbound}” should exclude.`);
}

/** Rejects a question if no measure has the requested aggregate, as in `the average number of replies`. */
export function rejectAggregates({ aggregates }: Draft, { lexicon, joinGroup }: Scope): void {
  const aggregate = aggregates.find(one => one !== 'total');
  if (aggregate === undefined) return;
  const near = [...lexicon.members.values()].filter(
    member => member.aggregate === aggregate && member.joinGroup === joinGroup,
  );
  throw impossible(
    `This data has no such ${aggregate}.`,
    near.slice(0, 3).map(({ title }) => title),
  );
}
