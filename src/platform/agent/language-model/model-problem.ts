/** What can be wrong with a language model's service, and what the caller is told of it. */
const sentences = {
  /** It asks to be left alone for a while (429). */
  busy: 'The language model is busy. Try again in a moment.',
  /** It can't be reached, or fails (5xx). */
  away: 'The language model is not available. Try again in a moment.',
  /** It answers, but not as an OpenAI-compatible service does: its address, key or model is wrong. */
  unfit: 'The language model is not available: whoever runs this service has to look at its settings.',
  /** It takes no such request (400, 413, 422): for the most part one that is too long. */
  rejected: 'The language model did not take the request. Begin a new conversation, or ask for less.',
  /** The answer broke off. */
  cut: 'The connection to the language model broke off. Try again.',
  slow: 'The language model took too long to answer. Try again.',
  long: 'The answer became too long and was cut off.',
  declined: 'The language model declined to answer this. Ask in another way.',
  empty: 'The language model gave no answer. Ask again in other words.',
} as const;

/** What is wrong. */
export type ModelProblemKind = keyof typeof sentences;

/** Why a language model gave no answer. Neither the message, which is for the caller, nor `note` holds its address or key. */
export class ModelProblem extends Error {
  readonly kind: ModelProblemKind;
  /** What whoever runs the platform should know. */
  readonly note: string;
  /** Milliseconds after which the service wants to be asked again; null where it doesn't say. */
  readonly retryAfterMs: number | null;

  constructor(kind: ModelProblemKind, note: string, retryAfterMs: number | null = null) {
    super(sentences[kind]);
    this.name = 'ModelProblem';
    this.kind = kind;
    this.note = note;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What was thrown while an answer was read, by us or around it. What isn't known is what a broken answer led to, and may quote it. */
export function modelProblemOf(error: unknown): ModelProblem {
  if (error instanceof ModelProblem) return error;
  if (error instanceof Error && error.cause instanceof ModelProblem) return error.cause;
  return new ModelProblem('cut', 'an answer of the language model broke off');
}

/** The problem that an HTTP status stands for. */
export function problemOfStatus(status: number, retryAfter: string | null): ModelProblem {
  const note = `the language model's service answered ${status}`;
  if (status === 429) return new ModelProblem('busy', note, readRetryAfter(retryAfter));
  if (status >= 500) return new ModelProblem('away', note, readRetryAfter(retryAfter));
  if ([400, 413, 422].includes(status)) return new ModelProblem('rejected', note);
  return new ModelProblem('unfit', `${note}: look at its address, its key and the name of the model`);
}

/** Seconds or a date, as HTTP has it. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
