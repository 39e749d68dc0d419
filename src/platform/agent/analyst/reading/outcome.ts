import type { Lexicon, Member } from '../vocabulary/lexicon.js';
import type { Reading } from './reading.js';

/** One of several meanings. */
export interface Choice {
  readonly id: string;
  /** As a reader knows it: data, not Markdown. */
  readonly label: string;
}

/** What a question came to. */
export type Outcome =
  | { readonly kind: 'reading'; readonly reading: Reading }
  /** Two readings are near, or one lacks a part. `key` names what is open; a question about it without choices has to be asked anew. */
  | { readonly kind: 'ask'; readonly key: string; readonly about: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'help' };

/** Why a question isn't answered. */
export type Refusal =
  | {
      readonly reason:
        | 'writes'
        | 'sql'
        | 'others'
        | 'predicts'
        | 'causes'
        | 'instructs'
        | 'too long'
        | 'images'
        | 'empty model';
    }
  /** Words that stand for nothing in the model, and what is near them. */
  | { readonly reason: 'unknown'; readonly words: readonly string[]; readonly near: readonly string[] }
  /** Something that the model or a query can't say, in a sentence with names in it as data. */
  | { readonly reason: 'impossible'; readonly what: string; readonly near: readonly string[] };

/** Ends the reading of a question with what it came to. */
export class EarlyOutcome extends Error {
  constructor(readonly outcome: Exclude<Outcome, { kind: 'reading' }>) {
    super(outcome.kind);
  }
}

/** Asks for values of dimensions before a question can be read further. */
export class NeedsValues extends Error {
  /**
   * @param search - what to look for in dimensions with too many values to know; null for all values of the others.
   * @param world - where to look first.
   */
  constructor(
    readonly search: string | null,
    readonly world: string | null,
  ) {
    super('values are needed');
  }
}

/** Refuses in a sentence. */
export function impossible(what: string, near: readonly string[] = []): EarlyOutcome {
  return new EarlyOutcome({ kind: 'refuse', refusal: { reason: 'impossible', what, near } });
}

/** What was chosen when the question was asked back, by what was open. */
export type Choices = ReadonlyMap<string, string>;

/** One of several meanings, told only where there are several. */
export interface Option<T> {
  readonly id: string;
  readonly label: () => string;
  readonly value: T;
}

/** What is open, and what was chosen for it before. */
export interface Open {
  readonly choices: Choices;
  readonly key: string;
  readonly about: string;
}

/** Most meanings that are told. */
const maxOptions = 4;

/** Returns the chosen candidate, or the only one. @throws {EarlyOutcome} with a question if there are several. */
export function choose<T>(open: Open, options: readonly Option<T>[]): T {
  const chosen =
    options.find(({ id }) => id === open.choices.get(open.key)) ?? (options.length === 1 ? options[0] : undefined);
  if (chosen) return chosen.value;
  throw askBack(open, options);
}

/** Asks which of some meanings is meant. */
export function askBack({ key, about }: Open, options: readonly Option<unknown>[]): EarlyOutcome {
  const choices = options.slice(0, maxOptions).map(({ id, label }) => ({ id, label: label() }));
  return new EarlyOutcome({ kind: 'ask', key, about, choices });
}

/** How a member is told apart from others of its title. */
export function labelOf(member: Member, { members }: Pick<Lexicon, 'members'>): string {
  for (const other of members.values()) {
    if (other !== member && other.title === member.title) return `${member.title} (${member.cubeTitle})`;
  }
  return member.title;
}
