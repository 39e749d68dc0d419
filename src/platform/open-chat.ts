import { Hono } from 'hono';
import { PlatformError } from './errors.js';
import type { Authenticate } from './mount.js';
import type { ChatPrincipal } from './principal.js';

/** What the routes of the Chat API ask of whoever puts them up. */
export interface ChatApiSeams {
  readonly authenticate: Authenticate<ChatPrincipal>;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** The Chat API, with the agent that answers. */
export interface ChatApi {
  routes(seams: ChatApiSeams): Hono;
  /** Suspends what is being answered, at its next step, so that every stream ends; no answer is begun any more. */
  close(): Promise<void>;
}

/** The Chat API of a platform that was started without a semantic model. */
export const noChatApi: ChatApi = {
  routes({ authenticate }) {
    const routes = new Hono({ strict: false });
    routes.all('/api/v1/public/:account/:scope/:scopeId/chat/*', async context => {
      await authenticate(context.req.raw);
      throw noModel();
    });
    return routes;
  },
  close: async () => {},
};

function noModel(): PlatformError {
  const message = 'No semantic model is served here to chat about: start the platform with --model and --sources.';
  return new PlatformError(404, message);
}
