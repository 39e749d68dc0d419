import type { DateMention } from '../time/date-phrases.js';
import type { Cue } from '../vocabulary/cues.js';
import type { Member } from '../vocabulary/lexicon.js';
import type { Word } from '../vocabulary/words.js';

/** A possible meaning of some words. */
export type Target =
  /** `isLoose` if the words only modify the noun of the member's title: `customer` for `Customer satisfaction`. */
  | { readonly kind: 'member'; readonly member: Member; readonly quality: number; readonly isLoose: boolean }
  /** `isPart` if the words are only a part of the value: `laguardia` for an airport's full name. */
  | { readonly kind: 'value'; readonly member: Member; readonly value: string; readonly isPart: boolean };

/** A member that a span of words may mean. */
export type MemberTarget = Extract<Target, { kind: 'member' }>;

/** A segment of a question: words from `from` (inclusive) to `to` (exclusive). */
export type Piece = { readonly from: number; readonly to: number } & (
  | {
      readonly kind: 'mention';
      readonly targets: readonly Target[];
      readonly text: string;
      readonly stems: readonly string[];
    }
  | { readonly kind: 'cue'; readonly cue: Cue; readonly grain?: string; readonly norm: string }
  | { readonly kind: 'number'; readonly value: number; readonly isPercent: boolean }
  | { readonly kind: 'aggregate'; readonly aggregate: string; readonly norm: string }
  | { readonly kind: 'date'; readonly date: DateMention }
  | { readonly kind: 'stop' }
  | { readonly kind: 'unknown'; readonly word: Word }
);

/** A segment that refers to members or values. */
export type Mention = Extract<Piece, { kind: 'mention' }>;
