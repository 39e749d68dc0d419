import { type Draft, membersIn } from './draft.js';
import { type Lexicon, type Member, MemberKind } from './lexicon.js';
import type { Mention, Target } from './mentions.js';
import { asksBack, type Choices, choose, impossible, labelOf } from './outcome.js';

type MemberTarget = Extract<Target, { kind: 'member' }>;

/** Where mentions are settled: the members that can stand in one query, and what was chosen before. */
export interface Scope {
  readonly lexicon: Lexicon;
  readonly world: string;
  readonly choices: Choices;
}

/** The world that knows most of what was mentioned; a view rather than cubes. Null where nothing was. */
export function worldOf(draft: Draft, lexicon: Lexicon): string | null {
  const { measures, by, times, segments, excludedSegments, missing } = draft;
  const mentions = [...measures, ...by, ...times, ...segments, ...excludedSegments, ...missing];
  for (const { mention } of draft.values) mentions.push(mention);
  for (const { target } of draft.conditions) if (target) mentions.push(target);
  for (const mention of [draft.rank?.measure, draft.sort?.mention]) if (mention) mentions.push(mention);
  const scores = new Map<string, number>();
  for (const mention of mentions) {
    const best = new Map<string, number>();
    for (const target of mention.targets) {
      const worth = target.kind === 'value' ? 1 : 1 + target.quality / 10;
      best.set(target.member.world, Math.max(best.get(target.member.world) ?? 0, worth));
    }
    for (const [world, worth] of best) scores.set(world, (scores.get(world) ?? 0) + worth);
  }
  const isView = (world: string) => lexicon.cubes.some(({ name, type }) => name === world && type === 'view');
  const [first] = [...scores].sort(([one, a], [other, b]) => b - a || Number(isView(other)) - Number(isView(one)));
  return first?.[0] ?? null;
}

/** How good a measure is for a mention that names no aggregate: the sum before the average before the extremes. */
const usual = ['count', 'total', 'count distinct', 'average', 'number', 'max', 'min'];
const said: Readonly<Record<string, string>> = {
  average: 'average',
  total: 'total',
  max: 'max',
  min: 'min',
  median: 'median',
};

/** The measure that is meant. @throws Settled where several are near, or none has the aggregate that was asked for. */
export function measureOf(mention: Mention, scope: Scope, aggregate: string | null = null): Member {
  const targets = best(inScope(membersIn(mention, MemberKind.measure), scope), 0.15);
  const wanted = aggregate === null ? null : (said[aggregate] ?? null);
  const fitting = wanted === null ? targets : targets.filter(({ member }) => isOf(member, wanted));
  if (fitting.length === 0 && wanted !== null && targets.length > 0) {
    const there = targets.map(({ member }) => member.title);
    throw impossible(`There is no ${aggregate} of “${mention.text}” here.`, there);
  }
  const rank = ({ member }: { member: Member }) => (wanted === null ? usual.indexOf(member.aggregate ?? '') : 0);
  const first = Math.min(...fitting.map(rank));
  const options = fitting.filter(target => rank(target) === first);
  return chosen(mention, options, scope);
}

/** A count has its total in it, whatever the model calls it. */
function isOf(member: Member, wanted: string): boolean {
  return (
    member.aggregate === wanted ||
    (wanted === 'total' && (member.aggregate === 'count' || member.aggregate === 'count distinct'))
  );
}

/** The dimension that is meant. @throws Settled where several are near. */
export function dimensionOf(
  mention: Mention,
  scope: Scope,
  fits: (member: Member) => boolean = () => true,
): Member | null {
  const targets = inScope(membersIn(mention, MemberKind.dimension), scope).filter(({ member }) => fits(member));
  if (targets.length === 0) return null;
  return chosen(mention, best(targets, 0.1), scope);
}

/** The segment that is meant. @throws Settled where several are near. */
export function segmentOf(mention: Mention, scope: Scope): Member | null {
  const targets = inScope(membersIn(mention, MemberKind.segment), scope);
  return targets.length === 0 ? null : chosen(mention, best(targets, 0.1), scope);
}

/** The value that is meant, with its dimension. @throws Settled where several are near. */
export function valueMeant(
  mention: Mention,
  scope: Scope,
  way: 'from' | 'toward' | null,
): Extract<Target, { kind: 'value' }> {
  const targets = inScope(
    mention.targets.filter(target => target.kind === 'value'),
    scope,
  );
  const led = targets.filter(({ member }) => wayOf(member) === way);
  const neutral = targets.filter(({ member }) => way === null || wayOf(member) === null || wayOf(member) === way);
  const fitting = way !== null && led.length > 0 ? led : neutral;
  const options = (fitting.length > 0 ? fitting : targets).map(target => ({
    id: `${target.member.name}=${target.value}`,
    label: () => `${labelOf(target.member, scope.lexicon)}: ${target.value}`,
    value: target,
  }));
  const key = `value ${mention.text}`;
  // All that have it are about the other way: that is not what was said.
  const open = { choices: scope.choices, key, about: mention.text };
  if (fitting.length === 0 && !scope.choices.has(key)) throw asksBack(open, options);
  return choose(open, options);
}

const origins = /\b(?:origin|from|source|departure|sender|start|pickup)\b/i;
const targetsOfWay = /\b(?:destination|to|target|arrival|receiver|recipient|end|dropoff)\b/i;

function wayOf(member: Member): 'from' | 'toward' | null {
  const words = `${member.name.replaceAll(/[._]/g, ' ')} ${member.title}`;
  if (targetsOfWay.test(words)) return 'toward';
  return origins.test(words) ? 'from' : null;
}

function inScope<T extends Target>(targets: readonly T[], { world }: Scope): T[] {
  return targets.filter(({ member }) => member.world === world);
}

/** Targets that are not much worse than the best. */
function best(targets: readonly MemberTarget[], margin: number): MemberTarget[] {
  const top = Math.max(...targets.map(({ quality }) => quality));
  return targets.filter(({ quality }) => quality >= top - margin);
}

function chosen(mention: Mention, targets: readonly MemberTarget[], { lexicon, choices }: Scope): Member {
  const options = targets.map(({ member }) => ({
    id: member.name,
    label: () => labelOf(member, lexicon),
    value: member,
  }));
  if (options.length === 0) throw impossible(`“${mention.text}” is no figure that can be asked for here.`);
  const open = { choices, key: `member ${mention.text}`, about: mention.text };
  if (targets.every(({ isLoose }) => isLoose) && !choices.has(open.key)) throw asksBack(open, options);
  return choose(open, options);
}
