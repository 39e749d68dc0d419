/** Limits of one language model turn. */
export interface ModelLimits {
  /** Maximum number of requests in which the model may call tools. One more request must produce the answer. */
  readonly steps: number;
  /** Maximum numbers of tool calls per turn and of concurrent tool calls. */
  readonly calls: number;
  readonly callsAtOnce: number;
  /** Approximate maximum number of characters of all tool results sent to the model in a turn. */
  readonly resultCharacters: number;
  /** Maximum number of characters of text and reasoning per step. */
  readonly textCharacters: number;
  /** Maximum number of bytes per response of the service. */
  readonly answerBytes: number;
  /** Maximum duration of a step, and maximum time between two chunks, in milliseconds. */
  readonly stepMs: number;
  readonly silenceMs: number;
  /** Maximum number of retries, and the longest `Retry-After` delay that is observed. */
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
