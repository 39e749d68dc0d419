import type { MetaCube, MetaResponse } from '../../../../contract/meta.js';
import type { Column } from '../../../../contract/row-set.js';
import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import { aggregateOf, keyOf, normalize, readWords, stemOf, stemsOf, type Word } from './words.js';

/** Kind of a member. */
export const MemberKind = { measure: 'measure', dimension: 'dimension', segment: 'segment' } as const;
/** Kind of a member. */
export type MemberKind = (typeof MemberKind)[keyof typeof MemberKind];

/** A member visible to the caller. */
export interface Member {
  readonly kind: MemberKind;
  /** Name in the form `cube.member`. */
  readonly name: string;
  /** Title shown to users, without the cube. */
  readonly title: string;
  /** `boolean` for segments; the declared type for other members. */
  readonly type: string;
  /**
   * Aggregate of a measure: `average`, `total`, `count`, `max`, `min`, `count distinct`, or `number` if the model does
   * not state one. `null` for other members.
   */
  readonly aggregate: string | null;
  readonly cube: string;
  readonly cubeTitle: string;
  readonly description: string;
  /** Group of members that one query can combine: the members of a view, or of cubes that join. */
  readonly joinGroup: string;
  /** Words of the unit in parentheses in the title: `Delay (minutes)`. */
  readonly units: readonly string[];
  /** Whether the values have a natural order that breakdowns use, such as hours or weekdays. */
  readonly ordered: boolean;
  readonly isPrimaryKey: boolean;
  /** Whether the member is one of several time dimensions of its cube. */
  readonly isOneOfTimes: boolean;
  readonly suggestsValues: boolean;
  readonly granularities: readonly string[];
  readonly annotation: Column['annotation'];
}

/** Whether the values of a measure for parts of the rows add up to its value for all of them. */
export function isAdditive({ aggregate }: Member): boolean {
  return aggregate === 'count' || aggregate === 'total';
}

/** Whether a measure counts all rows of its cube: the count with that name, otherwise the first one. */
export function isRowCount(member: Member, { members }: Pick<Lexicon, 'members'>): boolean {
  if (member.aggregate !== 'count' || member.name.endsWith('.count')) return member.aggregate === 'count';
  const own = [...members.values()].filter(({ cube, aggregate }) => cube === member.cube && aggregate === 'count');
  return own[0] === member && !own.some(({ name }) => name.endsWith('.count'));
}

/** Whether a measure is a share, according to its title. */
export function isShare({ title }: Member): boolean {
  return /\b(?:share|percentage|percent|proportion|ratio|rate)\b|%/i.test(title);
}

/**
 * Whether to offer a member as a measure of a question. Measures of other types, such as the list of a sparkline, are
 * not offered.
 */
export function isFigure({ kind, type }: Member): boolean {
  return kind === MemberKind.measure && type === 'number';
}

/** A phrase that identifies a member. */
export interface Phrase {
  readonly member: Member;
  readonly stems: readonly string[];
  /** 1 for the member's full name; less than 1 if the word for the aggregate was removed. */
  readonly quality: number;
}

/** Vocabulary of a model, against which questions are interpreted. */
export interface Lexicon {
  readonly members: ReadonlyMap<string, Member>;
  /** Complete phrases by their stems. The order of the stems has no effect. */
  readonly exact: ReadonlyMap<string, readonly Phrase[]>;
  /** Phrases by each of their stems. */
  readonly byStem: ReadonlyMap<string, readonly Phrase[]>;
  /** Words of all phrases, for correcting typos. */
  readonly vocabulary: ReadonlySet<string>;
  /** Suggested questions from the model's author. */
  readonly suggestions: readonly string[];
  readonly cubes: readonly MetaCube[];
}

/** Maximum number of phrases per member, and of words per phrase. */
const maxTexts = 24;
const maxPhraseWords = 10;

/** Creates the lexicon of the members visible to the caller. */
export async function makeLexicon({ cubes }: MetaResponse, timeSlicer: TimeSlicer): Promise<Lexicon> {
  const exact = new Map<string, Phrase[]>();
  const byStem = new Map<string, Phrase[]>();
  const vocabulary = new Set<string>();
  const members = new Map<string, Member>();
  for (const cube of cubes) {
    for (const member of membersOf(cube)) {
      if (timeSlicer.isDue) await timeSlicer.rest();
      members.set(member.name, member);
      const phrases = new Map<string, Phrase>();
      const qualified = new Set(withoutHyphens([qualifiedTitle(member, cube)]));
      const partial = new Set<string>();
      for (const text of textsOf(member, cube)) {
        const words = readWords(withoutBrackets(text)).slice(0, maxPhraseWords);
        for (const { norm } of words) if (/^\p{L}{3}/u.test(norm)) vocabulary.add(norm);
        for (const phrase of phrasesOf(member, words)) {
          const key = keyOf(phrase.stems);
          // A name that includes the cube's title matches only as a whole: `rated movies` does not match `Movies
          // rating`.
          if (!qualified.has(text)) partial.add(key);
          if ((phrases.get(key)?.quality ?? 0) < phrase.quality) phrases.set(key, phrase);
        }
      }
      for (const [key, phrase] of phrases) {
        push(exact, key, phrase);
        for (const stem of partial.has(key) ? new Set(phrase.stems) : []) push(byStem, stem, phrase);
      }
      // A unit matches a member only in combination with other words.
      for (const unit of member.units)
        push(byStem, unit, { member, stems: [...stemsOf(withoutBrackets(member.title)), unit], quality: 0.9 });
    }
  }
  return {
    members,
    exact,
    byStem,
    vocabulary,
    cubes,
    suggestions: cubes.flatMap(cube => textsIn(cube.meta?.suggestions)).slice(0, 6),
  };
}

function push(index: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [phrase]);
  else list.push(phrase);
}

function membersOf(cube: MetaCube): Member[] {
  const joinGroup =
    cube.type === 'view' || typeof cube.connectedComponent !== 'number'
      ? cube.name
      : `component ${cube.connectedComponent}`;
  const shared = { cube: cube.name, cubeTitle: cube.title, joinGroup };
  const plain = { isPrimaryKey: false, isOneOfTimes: false, suggestsValues: false, granularities: [], aggregate: null };
  const seen = (member: { isVisible?: boolean | null | undefined; public?: boolean | null | undefined }) =>
    member.isVisible !== false && member.public !== false;
  const times = cube.dimensions.filter(seen).filter(({ type }) => type === 'time');
  const described = (member: MetaCube['measures'][number] | MetaCube['segments'][number]) => ({
    name: member.name,
    title: member.shortTitle,
    description: member.description ?? '',
    units: [
      ...unitsOf(member.shortTitle),
      ...('currency' in member && typeof member.currency === 'string' ? currencyWords(member.currency) : []),
    ],
  });
  return [
    ...cube.measures.filter(seen).map(measure => ({
      ...shared,
      ...plain,
      ...described(measure),
      kind: MemberKind.measure,
      type: measure.type,
      aggregate: aggregates[measure.aggType ?? ''] ?? 'number',
      ordered: false,
      annotation: measure,
    })),
    ...cube.dimensions.filter(seen).map(dimension => ({
      ...shared,
      ...plain,
      ...described(dimension),
      kind: MemberKind.dimension,
      type: dimension.type,
      ordered: dimension.type === 'number',
      isPrimaryKey: dimension.primaryKey === true,
      isOneOfTimes: dimension.type === 'time' && times.length > 1,
      suggestsValues: dimension.type === 'string' && dimension.suggestFilterValues !== false,
      granularities: (dimension.granularities ?? []).map(({ name }) => name),
      annotation: dimension,
    })),
    ...cube.segments.filter(seen).map(segment => ({
      ...shared,
      ...plain,
      ...described(segment),
      kind: MemberKind.segment,
      type: 'boolean',
      ordered: false,
      annotation: { ...segment, type: 'boolean' },
    })),
  ];
}

const aggregates: Readonly<Record<string, string>> = {
  avg: 'average',
  sum: 'total',
  runningTotal: 'total',
  max: 'max',
  min: 'min',
  count: 'count',
  countDistinct: 'count distinct',
  countDistinctApprox: 'count distinct',
};

/** Returns the phrases that identify a member. */
function textsOf(member: Member, cube: MetaCube): string[] {
  const own = nameWords(member.name.slice(member.name.indexOf('.') + 1));
  // The cube's name also identifies its row count and the dimension that names its rows.
  const isCubeNoun =
    (member.kind === MemberKind.measure && member.aggregate === 'count' && own === 'count') ||
    (member.kind === MemberKind.dimension && /^(?:name|title|label)$/.test(own));
  const keyNoun = isCubeNoun && member.kind === MemberKind.measure ? keyNounOf(cube) : [];
  const cubeTexts = isCubeNoun ? [cube.title, nameWords(cube.name), ...textsIn(cube.meta?.synonyms), ...keyNoun] : [];
  const texts = [member.title, own, qualifiedTitle(member, cube), ...namedBy(member, cube), ...cubeTexts];
  const all = [...texts, ...textsIn(member.annotation.meta?.synonyms)].slice(0, maxTexts);
  return [...new Set(withoutHyphens(all))];
}

/** Returns the noun for a row, taken from the title of the primary key: `Order` for Order ID. */
function keyNounOf({ dimensions }: MetaCube): string[] {
  const keys = dimensions.filter(({ primaryKey }) => primaryKey === true);
  const [, noun] = /^(.+)\s(?:id|no|nr|number|key|code|uuid)$/i.exec(keys[0]?.shortTitle ?? '') ?? [];
  return keys.length === 1 && noun !== undefined ? [noun] : [];
}

/** Adds variants without hyphens: `SubCategory` for `Sub-Category`. */
function withoutHyphens(texts: readonly string[]): string[] {
  return [...texts, ...texts.map(text => text.replaceAll(/(\p{L})-(?=\p{L})/gu, '$1'))];
}

function qualifiedTitle(member: Member, cube: MetaCube): string {
  return `${cube.title} ${member.title}`;
}

/** Returns `Product` for the dimension Product name, unless the cube has another member with that title. */
function namedBy({ kind, type, title }: Member, { measures, dimensions }: MetaCube): string[] {
  const [, noun] = /^(.+)\s(?:name|title|label)$/i.exec(title) ?? [];
  if (noun === undefined || kind !== MemberKind.dimension || type !== 'string') return [];
  const isTaken = [...measures, ...dimensions].some(
    ({ shortTitle }) => shortTitle.toLowerCase() === noun.toLowerCase(),
  );
  return isTaken ? [] : [noun];
}

/** Converts `avgDelay` and `avg_delay` to hyphenated words, so that stop words are retained, as in `on_time`. */
function nameWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/**
 * Returns variants of a phrase: complete, without stop words, and without the aggregate (`delay` for `average delay`).
 */
function phrasesOf(member: Member, words: readonly Word[]): Phrase[] {
  const content = words.filter(({ stop }) => !stop);
  const isNumber = member.kind === MemberKind.measure || member.type === 'number';
  const base = isNumber ? content.filter(({ norm }) => !isAggregate(norm)) : [];
  // `page count` for `Total page count`
  const named =
    member.kind === MemberKind.measure ? content.slice(content.findIndex(({ norm }) => !isAggregate(norm))) : [];
  // `number of platforms` for `Total number of platforms`
  const [first] = content;
  const rest = member.kind === MemberKind.measure && first && isAggregate(first.norm) ? content.slice(1) : [];
  const phrase = (of: readonly Word[], quality: number) => ({ member, stems: of.map(({ stem }) => stem), quality });
  return [phrase(words, 1), phrase(content, 1), phrase(rest, 0.9), phrase(named, 0.9), phrase(base, 0.9)].filter(
    ({ stems }) => stems.length > 0,
  );
}

const superlatives = new Set('longest highest largest biggest greatest shortest lowest smallest'.split(' '));

function isAggregate(norm: string): boolean {
  return aggregateOf(norm) !== undefined || superlatives.has(norm);
}

/** Returns a title without the text in parentheses. */
export function withoutBrackets(title: string): string {
  const end = title.indexOf('(');
  return end > 0 ? title.slice(0, end).trim() : title;
}

function unitsOf(title: string): string[] {
  const open = title.indexOf('(');
  const close = title.indexOf(')', open);
  return open > 0 && close > open
    ? title
        .slice(open + 1, Math.min(close, open + 40))
        .split(/\W+/)
        .filter(Boolean)
        .map(word => stemOf(normalize(word)))
    : [];
}

const currencies = new Intl.DisplayNames('en', { type: 'currency' });

/** Returns the words for a currency code: `EUR` is spoken as euro. */
function currencyWords(code: string): string[] {
  if (!/^[A-Za-z]{3}$/.test(code)) return [];
  const name = currencies.of(code.toUpperCase()) ?? code;
  return [...new Set([name.split(' ').at(-1) ?? code, code].map(word => stemOf(normalize(word))))];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value)
    ? value
        .filter(text => typeof text === 'string')
        .slice(0, 20)
        .map(text => text.slice(0, 200))
    : [];
}
