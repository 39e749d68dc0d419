import { Cue } from '../vocabulary/cues.js';
import { hasOwnAggregate, isCount, isNumericColumn } from './arrange-figures.js';
import { comparisons, eachOf } from './draft-rules.js';
import type { Mention } from './pieces.js';
import { before, type Place } from './unclear-mentions.js';

/** Whether the role of a measure, a unit or a number next to it is not clear from the question. */
export function isUnclearFigure(mention: Mention, place: Place): boolean {
  return unclear.some(isOne => isOne(mention, place));
}

const unclear: readonly ((mention: Mention, place: Place) => boolean)[] = [
  isRowsCompared,
  isUnit,
  isFigureOfEach,
  isSecondColumn,
  isBarePair,
  isCountOfFigure,
];

/**
 * Whether a comparison directly follows the row count, as in `products over 100 by category`. The number may apply to a
 * column that the question does not name. `cities with flights over 100` names the row count.
 */
function isRowsCompared(mention: Mention, place: Place): boolean {
  const { draft, pieces, index, reading } = place;
  if (!reading.conditions.some(({ member }) => member.aggregate === 'count')) return false;
  const next = pieces[index + 1]?.piece;
  const isOperator = (cue: Cue) => cue === Cue.over || (comparisons[cue] !== undefined && cue !== Cue.equals);
  const isComparison = next?.kind === 'cue' && isOperator(next.cue);
  const previous = before(place)?.piece;
  const isNamed = previous?.kind === 'cue' && previous.cue === Cue.with;
  return isComparison && !isNamed && isCount(mention) && draft.conditions.some(({ target }) => target === mention);
}

/** Whether a mention is the unit of a measure and not a grouping: `delay in hours`. */
function isUnit(mention: Mention, place: Place): boolean {
  if (!/^(?:seconds|minutes|hours|days|weeks|months|years)$/i.test(mention.text)) return false;
  const figure = place.pieces[place.index - 2]?.piece;
  return /^in$/i.test(before(place)?.text ?? '') && figure?.kind === 'mention' && place.draft.measures.includes(figure);
}

/** Whether a measure follows a word that groups by it: `the best price for each room count`. */
function isFigureOfEach(mention: Mention, place: Place): boolean {
  const { draft, index } = place;
  const previous = before(place)?.piece;
  if (index < 2 || previous?.kind !== 'cue' || previous.cue !== Cue.by || !draft.measures.includes(mention))
    return false;
  return isNumericColumn(mention) && previous.norm.split(' ').some(word => eachOf.has(word));
}

/**
 * Whether a numeric column after a grouping may be a second grouping or a second measure, as in `average price, region,
 * rooms`. The measures before it state their aggregate.
 */
function isSecondColumn(mention: Mention, { draft, pieces, index }: Place): boolean {
  const { measures, by } = draft;
  if (!measures.includes(mention) || !isNumericColumn(mention) || hasOwnAggregate(mention, draft)) return false;
  const previous = pieces.slice(0, index).findLast(({ piece }) => piece.kind === 'mention')?.piece;
  if (previous?.kind !== 'mention' || !by.includes(previous)) return false;
  return measures.some(one => one.from < previous.from && hasOwnAggregate(one, draft));
}

/**
 * Whether two columns without an aggregate may be measures or the axes of a plot, as in `rooms and price`. The answer
 * would be two averages.
 */
function isBarePair(mention: Mention, { draft, reading }: Place): boolean {
  const { measures, dimensions, grain, computation, conditions, segments } = reading;
  const [first] = draft.measures;
  if (mention !== first || measures.length !== 2 || dimensions.length > 0 || grain !== null) return false;
  if (computation.kind !== 'none' || conditions.length + segments.length + draft.dates.length > 0) return false;
  const isBare = (one: Mention) => isNumericColumn(one) && !hasOwnAggregate(one, draft);
  return draft.measures.every(isBare) && measures.every(({ aggregate }) => aggregate === 'average');
}

/** Whether an average would answer a question for a number: `number of model years` may request distinct values. */
function isCountOfFigure(mention: Mention, { draft, reading: { measures } }: Place): boolean {
  if (!draft.counts.has(mention) || hasOwnAggregate(mention, draft) || !isNumericColumn(mention)) return false;
  return measures.some(
    one => one.aggregate === 'average' && mention.targets.some(({ member }) => member.name === one.name),
  );
}
