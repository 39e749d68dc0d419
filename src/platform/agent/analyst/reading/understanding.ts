import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import type { DateContext } from '../time/date-span.js';
import type { DimensionValues } from '../vocabulary/dimension-values.js';
import type { Lexicon } from '../vocabulary/lexicon.js';
import type { Speller } from '../vocabulary/spelling.js';
import type { Aim } from './draft.js';
import type { Choices, Outcome } from './outcome.js';
import type { Reading } from './reading.js';

/** Context for interpreting a question. */
export interface Understanding {
  readonly lexicon: Lexicon;
  /** `null` before values are loaded. */
  readonly values: readonly DimensionValues[] | null;
  readonly speller: Speller;
  /** Strings already searched for in dimensions with too many values to load. */
  readonly searched: readonly string[];
  /** Reading of the previous question. */
  readonly base: Reading | null;
  readonly at: DateContext;
  readonly choices: Choices;
  /** Words of the question with a corrected spelling. */
  readonly corrected?: ReadonlySet<string>;
  /** `figures` by default. */
  readonly aim?: Aim;
  /** Yields to the event loop during long questions. */
  readonly timeSlicer: TimeSlicer;
}

/** Interprets a text. `corrections` is the number of words that may still be corrected. */
export type ReadText = (text: string, context: Understanding, corrections: number) => Promise<Outcome>;
