import { measureOf, type Scope } from './choose-members.js';
import { Cue } from './cues.js';
import { type Draft, isPlural, type Rank } from './draft.js';
import { bare, type Member, MemberKind } from './lexicon.js';
import { choose, impossible, labelOf } from './outcome.js';
import { stemsOf } from './words.js';

/** An order by size, as it is settled. */
export interface SettledRank {
  /** Null where the question names none of its own. */
  readonly measure: Member | null;
  readonly desc: boolean;
  readonly limit: number;
}

const bad = new Set(
  stemsOf(
    'delay late lateness cancelled cancellation complaint returned refund refunded error failure failed cost churn defect loss waste wait overdue expense incident',
  ),
);

const lasting = new Set(stemsOf('time duration latency response age'));

/** Of delays and durations less is better. */
function isBetterLow({ title }: Member): boolean {
  const stems = stemsOf(bare(title));
  return stems.some(stem => bad.has(stem)) || lasting.has(stems.at(-1) ?? '');
}

/** `which weekday has the longest delay`: the superlative stands in the measure's own name. */
export function superlativeRank({ superlative, cues, by, grains }: Draft): Rank | null {
  if (superlative === null || !cues.has(Cue.which) || by.length + grains.length === 0) return null;
  const way = /^(?:shortest|lowest|smallest|min)/i.test(superlative.text) ? 'bottom' : 'top';
  return { way, isAggregate: false, count: null, measure: superlative, isPlural: by.some(isPlural) };
}

/** Settles what is ranked by, which end comes first, and how many are meant. @throws Settled where that is unclear. */
export function rankOf(rank: Rank, draft: Draft, scope: Scope, usual: Member | null): SettledRank | null {
  const isOfGroups = draft.by.length + draft.grains.length > 0;
  if (rank.isAggregate && !isOfGroups && rank.measure !== null) return null;
  const named = rank.measure ? measureOf(rank.measure, scope, draft.aggregates[0] ?? null) : null;
  const isOfWorth = rank.way === 'best' || rank.way === 'worst';
  const measure = named ?? (isOfWorth && usual === null ? worthOf(rank.way, scope) : null);
  const desc = isDescending(rank.way, measure ?? usual);
  const limit = rank.count ?? (rank.isPlural || !isOfGroups ? 10 : 1);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw impossible('I can show the first 1 to 1,000.');
  return { measure, desc, limit };
}

/** Which end comes first: of delays the best are the lowest. */
function isDescending(way: Rank['way'], by: Member | null): boolean {
  if (way === 'top' || way === 'bottom') return way === 'top';
  const isBad = by !== null && isBetterLow(by);
  return way === 'best' ? !isBad : isBad;
}

/** What is best by itself, nobody but the reader knows. */
function worthOf(way: Rank['way'], { lexicon, world, choices }: Scope): Member {
  const measures = [...lexicon.members.values()].filter(
    member => member.kind === MemberKind.measure && member.world === world,
  );
  const options = measures.map(member => ({ id: member.name, label: () => labelOf(member, lexicon), value: member }));
  return choose({ choices, key: 'worth', about: way }, options);
}
