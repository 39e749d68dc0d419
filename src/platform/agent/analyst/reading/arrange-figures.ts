import { Cue } from '../vocabulary/cues.js';
import { MemberKind } from '../vocabulary/lexicon.js';
import { aggregateOf } from '../vocabulary/words.js';
import type { Draft } from './draft.js';
import type { Mention } from './pieces.js';
import { ChartKind } from './reading.js';

/**
 * Decides which mentions of numeric columns are measures and which are groupings. A column such as `cylinders` is both
 * a dimension and the source of measures. It is a grouping next to a measure with an aggregate (`average mpg by
 * cylinders`, `cylinders average mpg`), in a scatter plot and in a histogram.
 */
export function arrangeFigures(draft: Omit<Draft, 'aim'>): void {
  const { measures, by, cues } = draft;
  const columns = measures.filter(mention => isNumericColumn(mention) && !isFigure(mention, draft));
  // In `do A cars have a higher weight than B cars`, the values form the groups.
  if (isOfValues(draft) && columns.length === 1 && measures.every(one => columns.includes(one) || isCount(one))) return;
  // In `movie budgets`, the row count `movie` only modifies the column.
  const isCompound = (mention: Mention) => isCount(mention) && columns.some(({ from }) => from === mention.to);
  const figures = measures.filter(
    (mention, index) =>
      !columns.includes(mention) &&
      !isNoun(mention, index, draft) &&
      (draft.counts.has(mention) || !isCompound(mention)),
  );
  if (figures.length > 0 || draft.countsRows) groupColumns(draft, columns, figures);
  else if (cues.has(Cue.scatter) || isPlot(draft, columns)) {
    if (columns.length + by.filter(isNumericColumn).length < 2) return;
    group(draft, columns);
    draft.chart = ChartKind.scatter;
    // In `weight vs horsepower in 1980`, the question compares two columns, not two periods.
    cues.delete(Cue.compare);
  } else if (cues.has(Cue.histogram) && columns.length === 1 && by.length + draft.grains.length === 0) {
    group(draft, columns);
  } else if (columns.length === 1 && isSpread(draft, columns)) draft.spread = columns[0] ?? null;
}

/** Whether a question compares values without counting rows. */
function isOfValues({ cues, values, counts }: Omit<Draft, 'aim'>): boolean {
  const isComparison = [Cue.compare, Cue.comparative, Cue.better].some(cue => cues.has(cue));
  return isComparison && values.length > 1 && counts.size === 0;
}

/** Whether two columns are the axes of a plot: `horsepower vs weight by origin`, `plot horsepower and weight`. */
function isPlot({ cues, grains, measures, by }: Omit<Draft, 'aim'>, columns: readonly Mention[]): boolean {
  const isTrend = cues.has(Cue.trend) || cues.has(Cue.line) || cues.has(Cue.bar) || cues.has(Cue.table);
  if (isTrend || grains.length > 0 || columns.length !== 2 || by.some(isNumericColumn)) return false;
  const isOnlyColumns = measures.every(
    (mention, index) => columns.includes(mention) || isNoun(mention, index, { counts: new Set() }),
  );
  return isOnlyColumns && (cues.has(Cue.compare) || cues.has(Cue.plot));
}

/**
 * Whether a question about a column may request the row count per value or the sum of the column: `how many cylinders
 * do cars have`.
 */
function isSpread(draft: Omit<Draft, 'aim'>, columns: readonly Mention[]): boolean {
  const { cues, counts, measures } = draft;
  const isCounted = columns.some(one => counts.has(one));
  const isOfRows =
    cues.has(Cue.bar) || (cues.has(Cue.with) && measures.some((one, index) => isNoun(one, index, draft)));
  return cues.has(Cue.histogram) || (isCounted && isOfRows);
}

/** Groups the rows by the columns, unless `and` joins them to the measure. */
function groupColumns(draft: Omit<Draft, 'aim'>, columns: readonly Mention[], figures: readonly Mention[]): void {
  const { joined, by, grains } = draft;
  const [figure] = figures;
  // For `x axis cylinders, y axis average mpg`, a chart needs a grouping, so the column becomes the grouping.
  const isNeeded = draft.chart !== null && by.length + grains.length === 0 && columns.length === 1;
  // Whether a question relates a row count to a column: `the relationship between number of cars and cylinders`.
  const isRelated = draft.cues.has(Cue.scatter) && figures.length === 1 && figure !== undefined && isCount(figure);
  const isGroup = (mention: Mention) =>
    isNeeded || isRelated || !(joined.has(mention) || (figure && joined.has(figure)));
  group(draft, columns.filter(isGroup));
  if (draft.chart === ChartKind.scatter && figures.length < 2) draft.chart = null;
}

/**
 * Whether a row count only names the rows, like `cars` in `weight of cars`. After `how many`, the row count is a
 * measure.
 */
function isNoun(mention: Mention, index: number, { counts }: Pick<Draft, 'counts'>): boolean {
  return index > 0 && !counts.has(mention) && isCount(mention);
}

/** Whether a mention refers to a measure that counts rows. */
export function isCount({ targets }: Mention): boolean {
  return targets.some(
    target => target.kind === 'member' && target.member.aggregate === 'count' && target.quality > 0.5,
  );
}

/** Moves mentions from the measures to the groupings. */
export function group(draft: Omit<Draft, 'aim'>, mentions: readonly Mention[]): void {
  for (const mention of mentions) {
    draft.measures.splice(draft.measures.indexOf(mention), 1);
    draft.joined.delete(mention);
    draft.counts.delete(mention);
    draft.grouped.add(mention);
  }
  draft.by.unshift(...mentions);
}

/** Whether a mention may refer to a numeric dimension. */
export function isNumericColumn({ targets }: Mention): boolean {
  return targets.some(
    target =>
      target.kind === 'member' && target.member.kind === MemberKind.dimension && target.member.type === 'number',
  );
}

/** Whether the question states how to aggregate a mention, or the mention counts rows. */
function isFigure(mention: Mention, draft: Pick<Draft, 'bound'>): boolean {
  return hasOwnAggregate(mention, draft) || isCount(mention);
}

/** Whether the question states how to aggregate a mention: `average weight`, `sum(sales)`. */
export function hasOwnAggregate(mention: Mention, { bound }: Pick<Draft, 'bound'>): boolean {
  // In `page count`, the aggregate is part of the column's name.
  const isTitle = mention.targets.some(
    target => target.kind === 'member' && target.member.kind === MemberKind.dimension && target.quality === 1,
  );
  return bound.has(mention) || (!isTitle && mention.stems.some(stem => aggregateOf(stem) !== undefined));
}

/** Returns the aggregates that a question states for a mention, before the mention or as its first word. */
export function aggregatesOf(mention: Mention, { bound }: Pick<Draft, 'bound'>): readonly string[] {
  const own = aggregateOf(mention.text.split(' ')[0]?.toLowerCase() ?? '');
  return bound.get(mention) ?? (own === undefined ? [] : [own]);
}
