import { type Member, MemberKind } from '../vocabulary/lexicon.js';
import { hasOwnAggregate } from './arrange-figures.js';
import { type Draft, membersIn } from './draft.js';
import { choose, labelOf } from './outcome.js';
import type { Mention } from './pieces.js';
import type { Scope } from './resolve-members.js';

/**
 * Resolves a mention that may be a row count or another measure, such as `tips by day` in a table of tips with a column
 * Tip. Returns `null` if only one of them is possible.
 * @throws {EarlyOutcome} with a question until the user has chosen.
 */
export function countOrFigure(mention: Mention, draft: Draft, scope: Scope): Member | null {
  if (draft.counts.has(mention) || hasOwnAggregate(mention, draft)) return null;
  const named = membersIn(mention, MemberKind.measure)
    .filter(({ member, quality }) => member.joinGroup === scope.joinGroup && quality >= minQuality)
    .map(({ member }) => member);
  const isSum = ({ aggregate }: Member) => aggregate === 'total' || aggregate === 'average';
  if (!named.some(({ aggregate }) => aggregate === 'count') || !named.some(isSum)) return null;
  const options = named.map(member => ({
    id: member.name,
    label: () => labelOf(member, scope.lexicon),
    value: member,
  }));
  return choose({ choices: scope.choices, key: `count ${mention.text}`, about: mention.text }, options);
}

/** Minimum quality of a match with a full name, with or without its aggregate. */
const minQuality = 0.9;
