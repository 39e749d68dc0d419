import { Cue } from '../vocabulary/cues.js';
import { isFigure, type Member } from '../vocabulary/lexicon.js';
import { stemsOf } from '../vocabulary/words.js';
import type { Draft } from './draft.js';
import { choose, labelOf } from './outcome.js';
import { canJoin, type Scope } from './resolve-members.js';

/**
 * Returns the default measure, a count, if none is named.
 * @throws {EarlyOutcome} with a question if there are several.
 */
export function usualMeasure({ lexicon, joinGroup }: Scope, near: readonly Member[]): Member | null {
  const measures = [...lexicon.members.values()].filter(
    member =>
      isFigure(member) &&
      member.joinGroup === joinGroup &&
      canJoin(
        [member, ...near].map(({ cube }) => cube),
        lexicon.cubes,
      ),
  );
  const counts = measures.filter(({ aggregate }) => aggregate === 'count');
  const plain = counts.filter(({ name }) => name.endsWith('.count'));
  const cubes = new Set(near.map(({ cube }) => cube));
  return (
    [plain, counts, measures]
      .flatMap(list => [list.find(({ cube }) => cubes.has(cube)), list[0]])
      .find(member => member !== undefined) ?? null
  );
}

/** Maximum number of measures in an overview. */
const maxMain = 4;

/**
 * Returns the measures of a question that names none: the main measures for an overview, otherwise the default measure.
 */
export function defaultMeasures(
  { aim, values, cues, by, grains, times, dates }: Draft,
  scope: Scope,
  near: readonly Member[],
): readonly Member[] {
  const usual = usualMeasure(scope, near);
  if (usual === null) return [];
  const [first] = values;
  // `how was the second quarter against the first?` also requests the main measures.
  const isOfPeriods = cues.has(Cue.compare) && dates.length > 1 && by.length + grains.length + times.length === 0;
  const isOverview = aim === 'overview' || (isOfPeriods && first === undefined);
  if (!isOverview && first === undefined) return [usual];
  if (!isOverview && first) {
    const { text, stems } = first.mention;
    const isCounted = cues.has(Cue.count);
    // `renewables by year` names neither rows nor a measure, so other totals are possible.
    const isOpen = by.length === 0 && stems.length === 1 && (grains.length + times.length > 0 || cues.has(Cue.share));
    return [countOrQuantity(usual, isCounted ? `number of ${text}` : text, { isOpen: isOpen && !isCounted }, scope)];
  }
  const others = [...scope.lexicon.members.values()].filter(
    member =>
      isFigure(member) && member.cube === usual.cube && member.aggregate !== 'max' && member.aggregate !== 'min',
  );
  return [...new Set([usual, ...others])].slice(0, maxMain);
}

/** Words in the titles of measures that count pieces. */
const pieces = new Set(
  stemsOf('quantity quantities qty units copies pieces items volume menge stück cantidad unidades quantité unités'),
);

/** Returns the measures that count the pieces of each row of a cube, such as the quantity of an order. */
export function quantitiesOf(
  cube: string,
  { lexicon, joinGroup }: Pick<Scope, 'lexicon' | 'joinGroup'>,
): readonly Member[] {
  return [...lexicon.members.values()].filter(
    member =>
      isFigure(member) &&
      member.cube === cube &&
      member.joinGroup === joinGroup &&
      member.aggregate === 'total' &&
      stemsOf(member.title).some(stem => pieces.has(stem)),
  );
}

/**
 * Resolves `how many chairs were sold`, which may request the number of rows or the sum of their quantities. `chairs by
 * year` may also request any other total.
 * @throws {EarlyOutcome} with a question until the user has chosen, if the model has such a total.
 */
function countOrQuantity(count: Member, about: string, { isOpen }: { readonly isOpen: boolean }, scope: Scope): Member {
  const totals = [...scope.lexicon.members.values()].filter(
    member => isFigure(member) && member.cube === count.cube && member.aggregate === 'total',
  );
  const options = [count, ...(isOpen ? totals : quantitiesOf(count.cube, scope))].map(member => ({
    id: member.name,
    label: () => labelOf(member, scope.lexicon),
    value: member,
  }));
  return choose({ choices: scope.choices, key: 'pieces', about }, options);
}
