/** Message shown to the caller for each kind of language model failure. */
const sentences = {
  /** The service is rate limiting (429). */
  busy: 'The language model is busy. Try again in a moment.',
  /** The service is unreachable or failing (5xx). */
  away: 'The language model is not available. Try again in a moment.',
  /**
   * The service does not respond like an OpenAI-compatible service: the configured address, key or model name is wrong.
   */
  unfit: 'The language model is not available. The administrator of this service must check its settings.',
  /** The service rejected the request (400, 413, 422), usually because it is too long. */
  rejected: 'The language model rejected the request. Start a new conversation, or request less data.',
  /** The response was interrupted. */
  cut: 'The connection to the language model was lost. Try again.',
  slow: 'The language model took too long to answer. Try again.',
  long: 'The answer was cut off because it became too long.',
  declined: 'The language model declined to answer. Rephrase your question.',
  empty: 'The language model returned no answer. Rephrase your question.',
} as const;

/** Kind of a language model failure. */
export type ModelProblemKind = keyof typeof sentences;

/**
 * Failure of a language model to answer. The message is shown to the caller. Neither the message nor `note` contains
 * the address or key of the service.
 */
export class ModelProblem extends Error {
  readonly kind: ModelProblemKind;
  /** Details for the operator of the platform. */
  readonly note: string;
  /** Retry delay in milliseconds requested by the service; `null` if not set. */
  readonly retryAfterMs: number | null;

  constructor(kind: ModelProblemKind, note: string, retryAfterMs: number | null = null) {
    super(sentences[kind]);
    this.name = 'ModelProblem';
    this.kind = kind;
    this.note = note;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Converts an error that was thrown while reading a response. An unknown error is reported as an interrupted response
 * without its message, which may quote the response.
 */
export function modelProblemOf(error: unknown): ModelProblem {
  if (error instanceof ModelProblem) return error;
  if (error instanceof Error && error.cause instanceof ModelProblem) return error.cause;
  return new ModelProblem('cut', 'a response of the language model was interrupted');
}

/** Returns the problem for an HTTP status. */
export function problemOfStatus(status: number, retryAfter: string | null): ModelProblem {
  const note = `the language model's service returned ${status}`;
  if (status === 429) return new ModelProblem('busy', note, readRetryAfter(retryAfter));
  if (status >= 500) return new ModelProblem('away', note, readRetryAfter(retryAfter));
  if ([400, 413, 422].includes(status)) return new ModelProblem('rejected', note);
  return new ModelProblem('unfit', `${note}: check its address, its key and the name of the model`);
}

/** Parses `Retry-After`, which contains seconds or an HTTP date, into milliseconds. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
