import type { Word } from './words.js';

/** Role of a word in the structure of a question, independent of the data. */
export const Cue = {
  by: 'by',
  top: 'top',
  bottom: 'bottom',
  best: 'best',
  worst: 'worst',
  share: 'share',
  running: 'running',
  unusual: 'unusual',
  compare: 'compare',
  change: 'change',
  decrease: 'decrease',
  trend: 'trend',
  not: 'not',
  only: 'only',
  count: 'count',
  which: 'which',
  list: 'list',
  also: 'also',
  instead: 'instead',
  what: 'what',
  sort: 'sort',
  show: 'show',
  ascending: 'ascending',
  descending: 'descending',
  reset: 'reset',
  table: 'table',
  bar: 'bar',
  line: 'line',
  comparative: 'comparative',
  better: 'better',
  worsened: 'worsened',
  improved: 'improved',
  remove: 'remove',
  insteadOf: 'insteadOf',
  replace: 'replace',
  pie: 'pie',
  scatter: 'scatter',
  plot: 'plot',
  histogram: 'histogram',
  over: 'over',
  howMuch: 'howMuch',
  from: 'from',
  toward: 'toward',
  and: 'and',
  on: 'on',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  orMore: 'orMore',
  orLess: 'orLess',
  between: 'between',
  equals: 'equals',
  with: 'with',
  grain: 'grain',
} as const;
/** Role of a word in the structure of a question, independent of the data. */
export type Cue = (typeof Cue)[keyof typeof Cue];

/** Returns the phrases that name a kind of chart: `bar chart`, `as a bar graph`, `bars`. */
function chartPhrases(kinds: string): string {
  const nouns = 'chart charts graph graphs plot plots diagram diagrams'.split(' ');
  return kinds
    .split(' ')
    .map(kind => kind.replace('-', ' '))
    .flatMap(kind =>
      nouns.flatMap(noun => [`${kind} ${noun}`, `as a ${kind} ${noun}`, `as ${kind} ${noun}`]).concat(`as a ${kind}`),
    )
    .join('|');
}

const phrases: Readonly<Record<Exclude<Cue, 'grain'>, string>> = {
  by:
    'by|per|for each|for every|each|every|across|across different|for different|from different|from various|for various|of each|of every|broken down by|break down by|broken out by|split by|split out by|' +
    'split on|divided into|divided by|stack bar charts by|separated by|separate by|separated into|segmented by|segregated by|categorized by|categorised by|organized by|sorted into|slice by|sliced by|grouped by|group by|aggregated by|stack by|stacked by|' +
    'in each|in every|in different|among|vary by|varies by|vary with|varies with|change with|changes with|change as|changes as|depend on|depends on|depending on|within each|differ by|based on|as a function of|' +
    'regarding|with regard to|according to|in terms of|on the basis of|color by|colored by|colour by|coloured by|color coded by|color code|colored on|with color by|colors by|colored based on|facet by|faceted by|faceting on|' +
    'facet on|trellised by|small multiples by|small multiples of|parameterize by',
  top: 'top|highest|most|largest|biggest|greatest|busiest|most popular|popular|most common|most frequent|leading|longest|max|peak|main',
  bottom:
    'bottom|lowest|least|least common|least frequent|least used|fewest|smallest|quietest|least popular|shortest|rarest|min',
  best: 'best|strongest|fastest|quickest',
  worst: 'worst|poorest|weakest|slowest',
  share:
    'share of|share|% of|%|percentage of|percentage|percent of|percent|proportion of|proportion|fraction of|what part of|part of|how much of',
  running:
    'running total of|running total|running totals|running sum of|running sum|cumulative|cumulated|cumulatively|accumulated|accumulative|running|year to date total',
  unusual:
    'unusual|unusually|anything unusual|something unusual|anomaly|anomalies|any anomalies|outlier|outliers|any outliers|abnormal|out of the ordinary|anything odd|anything strange|stand out|stands out|unexpected',
  compare:
    'compared with|compared to|compare to|v s|v|compare|comparison|in comparison with|in comparison to|comparing|versus|vs|against|difference between|than',
  change:
    'change|changed|changes|growth|grow|grew|grown|increase|increased|increases|rise|rose|risen|difference|jump|jumped|surge|surged|spike|spiked|go up|went up|gone up|going up',
  decrease:
    'decrease|decreased|decreases|drop|dropped|drops|fall|fell|fallen|decline|declined|shrink|shrank|shrunk|dip|dipped|go down|went down|gone down|going down',
  trend:
    'over time|across time|trend|trends|trended|develop|developed|development|evolution|evolve|evolved|timeline|over the months|over the year|time series|history',
  not: 'with no|have no|has no|had no|having no|except|except for|excluding|exclude|without|never|not|other than|apart from|all but|leaving out|leave out|ignoring',
  only: 'only|just|restrict to|filter to|filter by|limit to|limited to',
  count: 'how many|number of|count of|how often',
  which: 'which|what are|what is|what',
  list: 'list|list all|list the|which are there|enumerate',
  also: 'also|as well|too|additionally|add|plus|in addition|on top',
  instead: 'instead|rather|now|then|switch to|change to',
  what: 'what about|how about|and what about|same for|the same for|same in|same with|the same in|same but|do the same for',
  sort: 'sort by|sorted by|sorted|sorted from|order by|ordered by|sort it by|sort them by|rank by|ranked by|rank|sort',
  show: 'show|first|limit',
  ascending:
    'ascending|in ascending order|in increasing order|asc|lowest first|fewest first|lowest to highest|low to high|smallest to largest|smallest first|a to z|alphabetically|increasing',
  descending:
    'descending|in descending order|in decreasing order|desc|highest first|most first|biggest first|highest to lowest|high to low|largest to smallest|largest first|decreasing',
  reset:
    'remove the filter|remove filter|remove filters|remove the filters|no filter|without filter|without filters|clear the filter|clear filters|all time|drop the filter|reset',
  table: 'as a table|in a table|as table|table|as a list|as list|tabular|as text',
  bar: `as bars|bars|bar|columns|barchart|barcharts|${chartPhrases('bar column')}`,
  line: `as lines|as line|line|lines|multi line|${chartPhrases('line time-series')}`,
  pie: `pie|donut|doughnut|${chartPhrases('pie donut doughnut')}`,
  scatter: `scatter|scatterplot|scatterplots|scattergram|correlate|correlation|correlations|correlated|relation|relationship|related|relate|relates|cluster|${chartPhrases('scatter point xy')}`,
  plot: 'plot|plots|x axis|y axis|on the x axis|on the y axis|points|dots|point|bubble chart|bubbles',
  histogram: `histogram|spread of|histograms|distribution|distributions|distributed|frequency|${chartPhrases('frequency')}`,
  over: 'over',
  howMuch: 'how much',
  comparative: 'higher|lower|more|less|larger|bigger|smaller|fewer',
  better: 'better|worse',
  worsened: 'got worse|gotten worse|get worse|getting worse|became worse|worsened|worsen|deteriorated|deteriorate',
  improved:
    'got better|gotten better|get better|getting better|became better|improved|improve|improving|improvement|improvements',
  remove: 'remove|take out|take away|get rid of|without the column',
  insteadOf: 'instead of|rather than|in place of|in lieu of',
  replace: 'replace|exchange|swap',
  from: 'from|departing from|leaving|leaving from|out of',
  toward: 'to|towards|into|arriving in|arriving at|bound for',
  and: 'and|or|,|as well as|and also',
  on: 'on|across all|for all|among all|out of all|right now|at the moment',
  gt: 'more than|and more than|greater than|higher than|bigger than|larger than|longer than|above|exceeding|at more than|by more than|later than|>|older than|heavier than|taller than',
  gte: 'at least|no less than|not less than|minimum of|from at least|>=|starting at',
  lt: 'less than|and less than|fewer than|lower than|smaller than|shorter than|under|below|<|cheaper than|lighter than|younger than',
  lte: 'at most|no more than|not more than|maximum of|up to|<=',
  orMore: 'or more|or longer|or higher|or above|and more|and above',
  orLess: 'or less|or fewer|or lower|or below|and less|and below',
  between: 'between',
  equals: 'equal to|equals|exactly|=',
  with: 'with|that have|having|have|that had|has|had|where|whose',
};

interface CuePhrase {
  readonly words: readonly string[];
  readonly cue: Cue;
}

/** Cue phrases by their first word, longest first. */
const byFirst: ReadonlyMap<string, readonly CuePhrase[]> = indexed();

function indexed(): Map<string, CuePhrase[]> {
  const index = new Map<string, CuePhrase[]>();
  for (const cue of Object.values(Cue)) {
    for (const phrase of cue === Cue.grain ? [] : phrases[cue].split('|')) {
      const words = phrase.split(' ');
      const list = index.get(words[0] ?? '') ?? [];
      list.push({ words, cue });
      index.set(words[0] ?? '', list);
    }
  }
  for (const list of index.values()) list.sort((a, b) => b.words.length - a.words.length);
  return index;
}

const grains: Readonly<Record<string, string>> = {
  second: 'second',
  minute: 'minute',
  hour: 'hour',
  hours: 'hour',
  hourly: 'hour',
  day: 'day',
  days: 'day',
  daily: 'day',
  week: 'week',
  weeks: 'week',
  weekly: 'week',
  month: 'month',
  months: 'month',
  monthly: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  quarterly: 'quarter',
  year: 'year',
  years: 'year',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};

const magnitudes: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 };

/** Returns the factor of `million` in `2 million`, or `undefined`. */
export function magnitudeOf(norm: string | undefined): number | undefined {
  return norm !== undefined && Object.hasOwn(magnitudes, norm) ? magnitudes[norm] : undefined;
}

/** A cue in a question and its length in words. */
export interface FoundCue {
  readonly cue: Cue;
  readonly length: number;
  /** Granularity of a `grain` cue. */
  readonly grain?: string;
}

/** Returns the granularity of a word: `year` for `yearly`. */
export function grainOf(norm: string): string | undefined {
  return Object.hasOwn(grains, norm) ? grains[norm] : undefined;
}

/** Returns the longest cue that starts at a word, if any. */
export function cueAt(words: readonly Word[], at: number, isFree: (index: number) => boolean): FoundCue | undefined {
  const first = words[at]?.norm ?? '';
  const found = byFirst
    .get(first)
    ?.find(({ words: phrase }) => phrase.every((word, step) => words[at + step]?.norm === word && isFree(at + step)));
  if (found) return { cue: found.cue, length: found.words.length };
  const grain = grainOf(first);
  return grain === undefined ? undefined : { cue: Cue.grain, length: 1, grain };
}

const telling: ReadonlySet<Cue> = new Set([
  Cue.top,
  Cue.bottom,
  Cue.best,
  Cue.worst,
  Cue.share,
  Cue.running,
  Cue.unusual,
  Cue.compare,
  Cue.change,
  Cue.decrease,
  Cue.trend,
  Cue.not,
  Cue.table,
]);

/** Whether a word orders rows by time or position: `the first order`. */
export function isOrdinal(text: string): boolean {
  return /^(?:first|last)$/i.test(text);
}

/** Whether a word requests the best or worst item. Such a word does not name a measure, such as "Best score". */
export function isRankWord(stem: string): boolean {
  return /^(?:best|worst)$/.test(stem);
}

/** Whether a word begins a cue. */
export function isCueWord(norm: string): boolean {
  return byFirst.has(norm) || Object.hasOwn(grains, norm);
}

/** Words of cues, as candidates for correcting typos. */
export const cueVocabulary: ReadonlySet<string> = new Set([
  ...[...byFirst.values()]
    .flat()
    .flatMap(({ cue, words }) => (telling.has(cue) ? words.filter(word => word.length > 4) : [])),
  ...Object.keys(grains).filter(word => word.length > 3),
]);

const small = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const scales: Readonly<Record<string, number>> = { '': 1, '%': 0.01, k: 1e3, m: 1e6, bn: 1e9, b: 1e9 };

/** Parses a number (`1,000`, `10k`, `60%`, `five`). A percentage is returned as a fraction. */
export function numberOf(norm: string): { readonly value: number; readonly isPercent: boolean } | undefined {
  if (small.includes(norm)) return { value: small.indexOf(norm) + 1, isPercent: false };
  const [, digits, scale = ''] = /^(\d+(?:,\d{3})*(?:\.\d+)?)(%|k|m|bn|b)?$/.exec(norm) ?? [];
  const factor = Object.hasOwn(scales, scale) ? scales[scale] : undefined;
  if (digits === undefined || factor === undefined) return undefined;
  // Round the value, so that 70% is exactly 0.7 despite floating-point errors.
  return { value: Number((Number(digits.replaceAll(',', '')) * factor).toPrecision(12)), isPercent: scale === '%' };
}
