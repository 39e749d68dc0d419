import { setTimeout as pause } from 'node:timers/promises';
import type { AgentEvent } from '../agent.js';
import type { ModelConnection } from './connect-model.js';
import type { ModelLimits } from './limits.js';
import { type ModelProblem, modelProblemOf } from './model-problem.js';
import { askModel, ModelStep, type StepRequest } from './model-step.js';

/** What goes with the requests of one turn. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly limits: ModelLimits;
  /** Hears of every request that is sent. */
  readonly onRequest: () => void;
}

/**
 * Asks the model, and again where it was turned away or cut off for the time being and no text is on the screen yet. Text that was
 * shown stays, as the end of the turn.
 * @throws ModelProblem where there is no whole answer; when the signal aborts, anything.
 */
export async function* askPatiently(
  connection: ModelConnection,
  request: StepRequest,
  { signal, limits, onRequest }: Patience,
): AsyncGenerator<AgentEvent, ModelStep> {
  for (let retries = 0; ; retries += 1) {
    const step = new ModelStep();
    try {
      onRequest();
      yield* askModel(connection, request, step, { signal, limits });
      return step;
    } catch (error) {
      signal.throwIfAborted();
      const problem = modelProblemOf(error);
      const waitMs = waitBefore(problem, step, retries, limits);
      if (waitMs !== null) {
        await pause(waitMs, undefined, { signal });
        continue;
      }
      if (step.textId !== null) yield { type: 'text-end', id: step.textId, final: true };
      throw problem;
    }
  }
}

/** Milliseconds before the request is sent again; null where it isn't. */
function waitBefore({ kind, retryAfterMs }: ModelProblem, step: ModelStep, retries: number, limits: ModelLimits) {
  const isPassing = kind === 'busy' || kind === 'away' || kind === 'cut';
  const most = step.hasBegun ? Math.min(1, limits.retries) : limits.retries;
  if (!isPassing || step.textId !== null || retries >= most) return null;
  const waitMs = retryAfterMs ?? limits.retryPauseMs * 2 ** retries;
  return waitMs <= limits.retryAfterMs ? waitMs : null;
}
