/** Limits of one language model turn. */
export interface ModelLimits {
  /** Requests in which the model may call tools. One more request must produce the answer. */
  readonly steps: number;
  /** Tool calls per turn, and how many of them run concurrently. */
  readonly calls: number;
  readonly callsAtOnce: number;
  /** Approximate number of characters of all tool results sent to the model in a turn. */
  readonly resultCharacters: number;
  /** Characters of text and reasoning per step. */
  readonly textCharacters: number;
  /** Bytes per response of the service. */
  readonly answerBytes: number;
  /** Maximum duration of a step, and maximum time between two chunks, in milliseconds. */
  readonly stepMs: number;
  readonly silenceMs: number;
  /** Maximum number of retries, and the longest `Retry-After` delay that is respected. */
  readonly retries: number;
  readonly retryAfterMs: number;
  /** Delay before the first retry if the service sends no `Retry-After`. It doubles with each retry. */
  readonly retryPauseMs: number;
}

/** Default limits. */
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
