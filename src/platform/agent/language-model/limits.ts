/** What one turn of a language model may take. */
export interface ModelLimits {
  /** Requests in which the model may call tools; in one more it has to answer. */
  readonly steps: number;
  /** Calls of tools in a turn, and how many run at once. */
  readonly calls: number;
  readonly callsAtOnce: number;
  /** Characters of all results of tools that the model is told of in a turn, about. */
  readonly resultCharacters: number;
  /** Characters of text and reasoning of one step. */
  readonly textCharacters: number;
  /** Bytes of one answer of the service. */
  readonly answerBytes: number;
  /** Milliseconds that one step may take, and for how long nothing may come. */
  readonly stepMs: number;
  readonly silenceMs: number;
  /** How often a request that was turned away is sent again, and the longest wait that the service may ask for. */
  readonly retries: number;
  readonly retryAfterMs: number;
  /** The first wait where the service asks for none; each is twice as long as the one before. */
  readonly retryPauseMs: number;
}

/** Limits where nothing else is said. */
export const modelLimits: ModelLimits = {
  steps: 8,
  calls: 12,
  callsAtOnce: 3,
  resultCharacters: 60_000,
  textCharacters: 100_000,
  answerBytes: 8 * 1024 * 1024,
  stepMs: 120_000,
  silenceMs: 30_000,
  retries: 2,
  retryAfterMs: 20_000,
  retryPauseMs: 1000,
};
