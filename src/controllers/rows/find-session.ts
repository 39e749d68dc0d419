import { ContextEvent } from '@lit/context';
import { PaAbortError } from '../../client/errors.js';
import { closestAcross } from '../closest.js';
import { type SessionSource, sessionContext } from '../session/session-context.js';

/**
 * Calls `callback` with the current session of a `<pa-session>`, `null` if it has none, and again whenever the session
 * changes. Returns a function that stops the calls.
 */
export function watchSession(element: Element, callback: (source: SessionSource | null) => void): () => void {
  let unsubscribe: (() => void) | undefined;
  let isStopped = false;
  const request = (): void => {
    // A context provider ignores requests from its own host, so the request has another target.
    const target = element.ownerDocument.createElement('span');
    const answer = (source: SessionSource | null, release?: () => void): void => {
      unsubscribe = release;
      if (isStopped) release?.();
      else callback(source);
    };
    if (!isStopped) element.dispatchEvent(new ContextEvent(sessionContext, target, answer, true));
  };
  if (element.matches(':defined')) request();
  else void customElements.whenDefined(element.localName).then(request);
  return () => {
    isStopped = true;
    unsubscribe?.();
  };
}

/**
 * Returns the session of the nearest `<pa-session>` around an element, for requests of the page itself: `load`, `sql`
 * and `meta`. Waits until the `<pa-session>` is defined and configured. The session renews its tokens itself, so a page
 * can use it for as long as the attributes of the `<pa-session>` stay the same.
 * @param element - the `<pa-session>`, or an element inside it.
 * @throws {TypeError} if no `<pa-session>` encloses the element.
 * @throws {PaAbortError} if `signal` is aborted before.
 */
export async function findSession(
  element: Element,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<SessionSource> {
  const provider = closestAcross(element, 'pa-session');
  if (!provider) throw new TypeError(`No <pa-session> encloses <${element.localName}>.`);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(new PaAbortError());
    };
    let isFound = false;
    const stop = watchSession(provider, source => {
      if (!source || isFound) return;
      isFound = true;
      signal?.removeEventListener('abort', abort);
      // Stop in a microtask, because the first call can happen before `watchSession` has returned.
      queueMicrotask(() => stop());
      resolve(source);
    });
    if (signal?.aborted) abort();
    else if (!isFound) signal?.addEventListener('abort', abort, { once: true });
  });
}
