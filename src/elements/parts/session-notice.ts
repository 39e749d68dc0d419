import type { TemplateResult } from 'lit';
import { toProblem } from '../../controllers/problem.js';
import { type SessionSource, SessionStatus } from '../../controllers/session-context.js';
import type { Messages } from '../messages/messages.js';
import { notice, problemDetails } from './notice.js';

/** What the end of a session is told in. */
export type SessionWords = Pick<
  Messages,
  'sessionEnded' | 'sessionFailed' | 'tryAgain' | 'details' | 'code' | 'request'
>;

/** Says that the session is over or never began, and offers to try again; null while there is nothing to say. */
export function sessionNotice(source: SessionSource | null, messages: SessionWords): TemplateResult | null {
  if (source?.status !== SessionStatus.expired && source?.status !== SessionStatus.failed) return null;
  const words = source.status === SessionStatus.expired ? messages.sessionEnded : messages.sessionFailed;
  const action = { label: messages.tryAgain, run: () => void source.start() };
  return notice(words, action, source.error ? problemDetails(toProblem(source.error), messages) : undefined);
}

/** Whether nothing may show: the session was ended, or waits for its identity to be confirmed. */
export function isBlank(source: SessionSource | null): boolean {
  return source?.status === SessionStatus.ended || source?.status === SessionStatus.suspended;
}
