import type { Notice } from '../../../messages/messages.js';

/** Words of flows. Figures come formatted, counts don't. */
export interface SankeyMessages {
  /** What is drawn, a sentence. */
  readonly flows: (count: number) => string;
  readonly largest: (name: string, figure: string) => string;
  /** From where to where. */
  readonly flow: (from: string, to: string) => string;
  /** What comes into a place, and what leaves it. */
  readonly incoming: string;
  readonly outgoing: string;
  readonly nothingFlows: Notice;
  /** Mark of flows that are not all there are. */
  readonly notShown: (count: number) => string;
  /** Why they are not, a sentence each. */
  readonly unusable: (count: number) => string;
  readonly circular: (count: number) => string;
  readonly omitted: (count: number) => string;
}
