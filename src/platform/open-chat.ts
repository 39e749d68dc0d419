import { Hono } from 'hono';
import { isLoopback } from '../contract/loopback.js';
import type { Agent } from './agent/agent.js';
import type { Authenticate } from './auth/authenticate.js';
import type { ChatPrincipal } from './auth/principal.js';
import type { CallerData } from './data/caller-data.js';
import type { DataApi } from './data/open-data.js';
import type { Db } from './db/database.js';
import { PlatformError } from './errors.js';
import { BoundedCache } from './runtime/bounded-cache.js';
import { CleanupStack } from './runtime/cleanup-stack.js';

/** A language model behind an OpenAI-compatible API. */
export interface LlmOptions {
  /** Where the API is, up to the version: `https://api.example.com/v1`. HTTPS, or HTTP on loopback. */
  readonly baseUrl: string;
  /** Left out where the API asks for none. */
  readonly apiKey?: string;
  readonly model: string;
}

/**
 * Refuses a language model that could not be asked, or only in the open.
 * @throws Error in one sentence, without the key
 */
export function checkLlm({ baseUrl, apiKey, model }: LlmOptions): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(
      'The base URL of the language model (PA_LLM_BASE_URL) must be an address like https://api.example.com/v1.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(
      'The base URL of the language model (PA_LLM_BASE_URL) must begin with https:, unless it is on this machine: key and questions go there.',
    );
  }
  if (model.trim() === '') throw new Error('The language model must have a name.');
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error('The key of the language model must be visible ASCII characters without spaces.');
  }
}

/** What the routes of the Chat API ask of whoever puts them up. */
interface ChatApiHooks {
  readonly authenticate: Authenticate<ChatPrincipal>;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** The Chat API, with the agent that answers. */
export interface ChatApi {
  routes(seams: ChatApiHooks): Hono;
  /** Suspends what is being answered, at its next step, so that every stream ends; no answer is begun any more. */
  close(): Promise<void>;
}

/** What the Chat API is opened on. */
interface ChatApiOptions {
  readonly db: Db;
  readonly data: Pick<DataApi, 'dataOf'>;
  /** The language model that answers; null leaves it to the built-in analyst. */
  readonly llm: LlmOptions | null;
  /** Hears of every failure of a run that is not the caller's doing. */
  readonly onFailure: (error: unknown) => void;
}

/** Time for a step to end when the platform does; what is longer goes on from the step before. */
const closeWithinMs = 5_000;

/** An agent keeps what it has learned of the data beside them: for so many security contexts, at about so much. */
const dataBytes = 1024 * 1024;
const allDataBytes = 64 * dataBytes;

/** The built-in analyst waits for queries alone: more at once would only wait for the engine, and be in each other's way. */
const analystsAtOnce = 8;

/** Opens the Chat API over the data of each caller. What it needs is loaded here, a model's packages only where there is one. */
export async function openChatApi({ db, data, llm, onFailure }: ChatApiOptions): Promise<ChatApi> {
  const [{ createChatService }, { createTools }, { chatRoutes }, agent] = await Promise.all([
    import('./chat/create-chat-service.js'),
    import('./agent/tools/create-tools.js'),
    import('./chat/chat-routes.js'),
    openAgent(llm, onFailure),
  ]);
  // Whoever has the same security context reads the same rows: the data know nothing else of a caller.
  const known = new BoundedCache<CallerData>(allDataBytes);
  const chat = createChatService({
    db,
    agentOf: () => agent,
    contextOf({ securityContext, timezone }) {
      const key = JSON.stringify(securityContext);
      const own = known.find(key)?.value ?? data.dataOf(securityContext);
      if (!own) throw noModel();
      known.set(key, own, dataBytes);
      return { data: own, tools: createTools(own, { timezone }) };
    },
    limits: llm === null ? { agentsAtOnce: analystsAtOnce } : {},
    onFailure,
  });
  const cleanUp = new CleanupStack();
  cleanUp.add(() => chat.close({ withinMs: closeWithinMs }));
  return { routes: seams => chatRoutes({ db, chat, ...seams }), close: () => cleanUp.run() };
}

/** The built-in analyst, or a language model; what to ask is suggested by the analyst in any case. */
async function openAgent(llm: LlmOptions | null, onFailure: ChatApiOptions['onFailure']): Promise<Agent> {
  const { createAnalyst } = await import('./agent/analyst/analyst.js');
  const analyst = createAnalyst();
  if (llm === null) return analyst;
  const { createModelAgent } = await import('./agent/language-model/model-agent.js');
  const { suggestions } = analyst;
  return createModelAgent({
    baseUrl: llm.baseUrl,
    apiKey: llm.apiKey ?? null,
    model: llm.model,
    suggestions,
    onFailure,
  });
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
