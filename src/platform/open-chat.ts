import { Hono } from 'hono';
import { type ChatContext, ToolName } from '../contract/chat.js';
import { isLoopback } from '../contract/loopback.js';
import type { Agent, AgentDashboard } from './agent/agent.js';
import type { Analyst } from './agent/analyst/analyst.js';
import type { OpenRemoteTools } from './agent/remote-tools/remote-tools.js';
import type { SummaryInput } from './agent/summarize-dashboard.js';
import type { Authenticate } from './auth/authenticate.js';
import type { ModelTarget } from './auth/model-target.js';
import type { ChatPrincipal, SecurityContext } from './auth/principal.js';
import type { ChatCaller } from './chat/chat-service.js';
import type { CallerData } from './data/caller-data.js';
import type { Db } from './db/database.js';
import { PlatformError } from './errors.js';
import { BoundedCache } from './runtime/bounded-cache.js';
import { CleanupStack } from './runtime/cleanup-stack.js';

/** A language model behind an OpenAI-compatible API. */
export interface LlmOptions {
  /** Base URL of the API, including the version: `https://api.example.com/v1`. HTTPS, or HTTP on loopback. */
  readonly baseUrl: string;
  /** API key; omit it if the API does not require one. */
  readonly apiKey?: string;
  readonly model: string;
}

/**
 * Validates the options of a language model: a usable base URL (HTTPS unless on loopback), a name and a valid key.
 * @throws Error with a one-sentence reason that does not contain the key
 */
export function checkLlm({ baseUrl, apiKey, model }: LlmOptions): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(
      'The base URL of the language model (PA_LLM_BASE_URL) must be a URL such as https://api.example.com/v1.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(
      'The base URL of the language model (PA_LLM_BASE_URL) must start with https:, unless it is on this machine, because the key and the questions are sent to it.',
    );
  }
  if (model.trim() === '') throw new Error('The language model requires a name. Set PA_LLM_MODEL.');
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error(
      'The key of the language model (PA_LLM_API_KEY) must consist of visible ASCII characters without spaces.',
    );
  }
}

/** Hooks that the routes of the Chat API require. */
interface ChatApiHooks {
  readonly authenticate: Authenticate<ChatPrincipal>;
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Writes a summary of the rows that a security context can read. */
type WriteSummary = (
  input: Omit<SummaryInput, 'data'> & { readonly context: SecurityContext; readonly target: ModelTarget },
) => Promise<readonly string[]>;

/** The Chat API and its agent. */
export interface ChatApi {
  routes(seams: ChatApiHooks): Hono;
  /** Writes a summary of a dashboard from the rows that one recipient may see, as paragraphs of plain text. */
  summarize: WriteSummary;
  /** Suspends running responses at their next step, so that every stream ends. Starts no new responses. */
  close(): Promise<void>;
}

/** The fields of a caller that determine what it may read. */
interface DataCaller extends Pick<ChatCaller, 'securityContext' | 'deploymentId' | 'branchName' | 'modelVersion'> {
  readonly agent: Pick<ChatCaller['agent'], 'views'>;
}

/** Options of `openChatApi`. */
interface ChatApiOptions {
  readonly db: Db;
  readonly data: {
    dataOf(context: SecurityContext, target: ModelTarget): CallerData | null;
    /** Returns the version of the model of a branch. @throws PlatformError 404, 409 */
    versionOf(target: ModelTarget): Promise<string>;
  };
  /** The language model; `null` uses the built-in analyst. */
  readonly llm: LlmOptions | null;
  /** Opens the tools of other services for a language model; none by default. */
  readonly openRemoteTools?: OpenRemoteTools;
  /** Called with every failure of a run that the client did not cause. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Maximum time for a step to end at shutdown, in milliseconds. A step that takes longer is repeated when the run
 * resumes.
 */
const closeWithinMs = 5_000;

/** Estimated cache size per security context, including what the agent caches about its data. */
const dataBytes = 1024 * 1024;
const allDataBytes = 64 * dataBytes;

/**
 * Maximum number of concurrent runs of the built-in analyst. It mostly waits for queries, so more runs would only queue
 * in the engine.
 */
const analystsAtOnce = 8;

/**
 * Opens the Chat API, which reads data with the permissions of each caller. Lazy-loads its modules, and the packages
 * for language models only if one is configured.
 */
export async function openChatApi({ db, data, llm, openRemoteTools, onFailure }: ChatApiOptions): Promise<ChatApi> {
  const [{ createChatService }, { restrictViews }, { createTools }, { chatRoutes }, opened] = await Promise.all([
    import('./chat/create-chat-service.js'),
    import('./data/restrict-views.js'),
    import('./agent/tools/create-tools.js'),
    import('./chat/chat-routes.js'),
    openAgent(llm, onFailure),
  ]);
  const { agent, analyst } = opened;
  // Callers of a model with the same security context read the same rows, so they can share cached data.
  const known = new BoundedCache<CallerData>(allDataBytes);
  const openData = ({ securityContext, deploymentId, branchName, agent: { views } }: DataCaller): CallerData | null => {
    const all = data.dataOf(securityContext, { deploymentId, branchName: branchName ?? null });
    return all && views !== null ? restrictViews(all, views) : all;
  };
  const dataOf = (caller: DataCaller): CallerData => {
    const {
      securityContext,
      deploymentId,
      branchName = null,
      modelVersion = null,
      agent: { views },
    } = caller;
    const key = JSON.stringify([deploymentId, branchName, modelVersion, securityContext, views]);
    const own = known.find(key)?.value ?? openData(caller);
    if (!own) throw noModel();
    known.set(key, own, dataBytes);
    return own;
  };
  const closing = new AbortController();
  const chat = createChatService({
    db,
    agentOf: () => agent,
    contextOf(caller) {
      const own = dataOf(caller);
      const { tools: names, toolServers } = caller.agent;
      const options = { timezone: caller.timezone };
      const tools = createTools(own, options);
      // The built-in analyst uses all tools.
      if (llm === null) return { data: own, tools };
      const reader = analyst.questionReader(own, options);
      const all = [...tools, [reader.name, reader] as const];
      const listed = new Map(names === null ? all : all.filter(([name]) => names.includes(name)));
      if (!openRemoteTools || toolServers === null) return { data: own, tools: listed };
      const open = (signal: AbortSignal) => openRemoteTools({ ...caller, toolServers }, signal);
      return { data: own, tools: listed, openRemoteTools: open };
    },
    dashboardOf: async (caller, context) => {
      const { tiles } = context;
      const { signal } = closing;
      // The built-in analyst reads only the tile that the message is about.
      const needs = (widgetId: string) => (tiles?.length ? tiles.includes(widgetId) : llm !== null);
      const dashboard = await openDashboard(db, { caller, context, data: dataOf(caller), signal, needs });
      const { tools: names } = caller.agent;
      const canSet = llm === null || (names?.includes(ToolName.setDashboardControls) ?? true);
      return canSet ? dashboard : { ...dashboard, controls: [] };
    },
    limits: llm === null ? { agentsAtOnce: analystsAtOnce } : {},
    onFailure,
  });
  const cleanUp = new CleanupStack();
  cleanUp.add(async () => closing.abort());
  cleanUp.add(() => chat.close({ withinMs: closeWithinMs }));
  return {
    routes: seams => chatRoutes({ db, chat, versionOf: target => data.versionOf(target), ...seams }),
    async summarize({ context, target: { deploymentId }, ...input }) {
      const { summarizeDashboard } = await import('./agent/summarize-dashboard.js');
      const own = dataOf({ securityContext: context, deploymentId, agent: { views: null } });
      return summarizeDashboard({ analyst, model: llm === null ? null : agent }, { ...input, data: own });
    },
    close: () => cleanUp.run(),
  };
}

/** A message about a dashboard, and its caller. */
interface DashboardMessage {
  readonly caller: ChatCaller;
  readonly context: ChatContext;
  readonly data: CallerData;
  readonly signal: AbortSignal;
  /** Whether the agent needs the answer that is pinned to a widget. */
  readonly needs: (widgetId: string) => boolean;
}

/** Reads the dashboard of a message, with the permissions of the caller. @throws PlatformError 404 */
async function openDashboard(
  db: Db,
  { caller, context, data, signal, needs }: DashboardMessage,
): Promise<AgentDashboard> {
  const [{ findViewerDashboard }, { dashboardQueries }, { findPinnedReports }] = await Promise.all([
    import('./content/dashboards/viewer-dashboards.js'),
    import('./content/dashboards/dashboard-queries.js'),
    import('./content/dashboards/resolve-ai-widgets.js'),
  ]);
  const { embedTenantId, deploymentId, userId } = caller;
  // Without a tenant, the caller is a user of the account, with whom nothing is shared.
  const found =
    embedTenantId === null
      ? null
      : await findViewerDashboard(db, { embedTenantId, deploymentId, userId }, context.dashboardPublicId);
  if (!found) throw new PlatformError(404, 'The dashboard of this message was not found.');
  const answers = await findPinnedReports(db, found, { data, signal }, needs);
  return dashboardQueries(found, context, await data.meta(), answers);
}

/**
 * Opens the built-in analyst or a language model. The analyst provides the suggested questions in both cases, and reads
 * questions for the language model.
 */
async function openAgent(
  llm: LlmOptions | null,
  onFailure: ChatApiOptions['onFailure'],
): Promise<{ readonly agent: Agent; readonly analyst: Analyst }> {
  const { createAnalyst } = await import('./agent/analyst/analyst.js');
  const analyst = createAnalyst();
  if (llm === null) return { agent: analyst, analyst };
  const { createModelAgent } = await import('./agent/language-model/model-agent.js');
  const { suggestions } = analyst;
  const agent = createModelAgent({
    baseUrl: llm.baseUrl,
    apiKey: llm.apiKey ?? null,
    model: llm.model,
    suggestions,
    onFailure,
  });
  return { agent, analyst };
}

/** The Chat API of a platform without a semantic model. */
export const noChatApi: ChatApi = {
  routes({ authenticate }) {
    const routes = new Hono({ strict: false });
    routes.all('/api/v1/public/:account/:scope/:scopeId/chat/*', async context => {
      await authenticate(context.req.raw);
      throw noModel();
    });
    return routes;
  },
  summarize: async () => [],
  close: async () => {},
};

function noModel(): PlatformError {
  const message =
    'The chat requires a semantic model, but this platform serves none. Start it with --model and a data source.';
  return new PlatformError(404, message);
}
