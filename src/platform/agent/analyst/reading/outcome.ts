import type { Lexicon, Member } from '../vocabulary/lexicon.js';
import type { Reading } from './reading.js';

/** A meaning that the user can choose. */
export interface Choice {
  readonly id: string;
  /** Label for the user, as untrusted text without Markdown. */
  readonly label: string;
}

/** A word with a corrected spelling. */
export interface Correction {
  readonly written: string;
  readonly read: string;
}

/** Result of interpreting a question. */
export type Outcome =
  | {
      readonly kind: 'reading';
      readonly reading: Reading;
      /** Words whose spelling was corrected. */
      readonly corrections?: readonly Correction[];
    }
  /**
   * The question is ambiguous or incomplete. `key` identifies the unresolved part. Without choices, the user must
   * rephrase the question.
   */
  | {
      readonly kind: 'ask';
      readonly key: string;
      readonly about: string;
      readonly choices: readonly Choice[];
      /** Words that the only choice ignores. */
      readonly ignored?: readonly string[];
    }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'help' };

/** Reason why a question is not answered. */
export type Refusal =
  | {
      readonly reason:
        | 'writes'
        | 'sql'
        | 'others'
        | 'predicts'
        | 'causes'
        | 'instructs'
        | 'language'
        | 'too long'
        | 'images'
        | 'empty model';
    }
  /** Words that match nothing in the model, and similar titles. */
  | { readonly reason: 'unknown'; readonly words: readonly string[]; readonly near: readonly string[] }
  /** The model or a query cannot express the request. `what` is a sentence that contains names as untrusted text. */
  | { readonly reason: 'impossible'; readonly what: string; readonly near: readonly string[] };

/** Ends the interpretation of a question with an outcome other than a reading. */
export class EarlyOutcome extends Error {
  constructor(readonly outcome: Exclude<Outcome, { kind: 'reading' }>) {
    super(outcome.kind);
  }
}

/** Requests dimension values that are needed to continue the interpretation. */
export class NeedsValues extends Error {
  /**
   * @param search - text to search in dimensions with too many values to load; `null` to load all values of the others.
   * @param joinGroup - group of members to search first.
   */
  constructor(
    readonly search: string | null,
    readonly joinGroup: string | null,
  ) {
    super('The interpretation requires dimension values that are not loaded yet.');
  }
}

/** Requests the days with data of a time dimension, which determine the period of a question. */
export class NeedsDays extends Error {
  constructor(readonly time: Member) {
    super('The interpretation requires the days with data, which are not loaded yet.');
  }
}

/** Creates a refusal with an explanation. */
export function impossible(what: string, near: readonly string[] = []): EarlyOutcome {
  return new EarlyOutcome({ kind: 'refuse', refusal: { reason: 'impossible', what, near } });
}

/** Choices made in answer to clarifying questions, by the key of the unresolved part. */
export type Choices = ReadonlyMap<string, string>;

/** A possible meaning. The label is computed only if there are several. */
export interface Option<T> {
  readonly id: string;
  readonly label: () => string;
  readonly value: T;
}

/** An unresolved part of a question, and the choices made so far. */
export interface Open {
  readonly choices: Choices;
  readonly key: string;
  readonly about: string;
}

/** Maximum number of meanings to offer. */
const maxOptions = 4;

/** Returns the chosen candidate, or the only one. @throws {EarlyOutcome} with a question if there are several. */
export function choose<T>(open: Open, options: readonly Option<T>[]): T {
  const chosen =
    options.find(({ id }) => id === open.choices.get(open.key)) ?? (options.length === 1 ? options[0] : undefined);
  if (chosen) return chosen.value;
  throw askBack(open, options);
}

/**
 * Returns the chosen candidate. @throws {EarlyOutcome} with a question until the user has chosen, even if there is only
 * one candidate.
 */
export function confirmed<T>(open: Open, options: readonly Option<T>[]): T {
  if (!open.choices.has(open.key)) throw askBack(open, options);
  return choose(open, options);
}

/** Creates a clarifying question about several meanings. */
export function askBack({ key, about }: Open, options: readonly Option<unknown>[]): EarlyOutcome {
  const choices = options.slice(0, maxOptions).map(({ id, label }) => ({ id, label: label() }));
  return new EarlyOutcome({ kind: 'ask', key, about, choices });
}

/** Returns the title of a member, with the cube's title if the title alone is ambiguous. */
export function labelOf(member: Member, { members }: Pick<Lexicon, 'members'>): string {
  for (const other of members.values()) {
    if (other !== member && other.title === member.title) return `${member.title} (${member.cubeTitle})`;
  }
  return member.title;
}
