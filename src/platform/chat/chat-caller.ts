import { hash } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type ChatParams, type ChatScope, ChatSessionSettings } from '../../contract/chat.js';
import { checkEmbedGrant, EmbedGrant } from '../../contract/embed-grant.js';
import { describeIssues } from '../../contract/messages.js';
import type { Policy } from '../../contract/roles.js';
import type { ApiKeyPrincipal, ChatPrincipal, SecurityContext } from '../auth/principal.js';
import { allResources } from '../auth/rights.js';
import { findTimezone } from '../data/time/time-zone.js';
import type { Db } from '../db/database.js';
import { accounts, agents } from '../db/schema.js';
import { applyGrant } from '../embed/apply-grant.js';
import { PlatformError } from '../errors.js';
import { isManager, notFound } from '../http/access.js';
import { refuseUnstorable } from '../http/serve.js';
import { chatThreadActions } from '../people/policies.js';
import { createPoliciesFinder } from '../people/role-store.js';
import { Batcher } from '../runtime/batcher.js';
import { type AccountConfig, accountConfig, requireAi } from '../settings/account-settings.js';
import type { ChatCaller } from './chat-service.js';

/** Chats that policies with `effect: deny` deny to a user (spec 2.8). A deny takes precedence over any allow. */
interface ChatDenials {
  /** True if all chats, or all chats with this agent, are denied. */
  deniesAgent(agentId: number): boolean;
  /** Ids of denied threads. */
  readonly threads: ReadonlySet<string>;
}

/** The denials of a user's policies. Policies cannot grant access to threads of other users. */
function chatDenials(policies: readonly Policy[]): ChatDenials {
  const denied = policies
    .filter(({ resourceType, effect }) => resourceType === 'ChatThread' && effect === 'deny')
    .filter(({ actions }) => actions.some(action => isChatAction(action)))
    .flatMap(({ resources }) => resources);
  const ids = new Set(denied);
  return { deniesAgent: agentId => ids.has(allResources) || ids.has(String(agentId)), threads: ids };
}

function isChatAction(action: string): boolean {
  return action === allResources || chatThreadActions.some(name => name === action);
}

/** The agent in the path of a chat: its own id, or a deployment. */
interface AgentPath {
  readonly account: string;
  readonly scope: ChatScope;
  readonly scopeId: number;
}

/** An agent, and the deployment whose data it uses. */
interface StoredAgent {
  readonly id: number;
  readonly deploymentId: number;
}

/**
 * The agent of a path; the first one if a deployment has several. `null` if the agent or the account does not exist.
 */
async function findAgent(db: Db, { account, scope, scopeId }: AgentPath): Promise<StoredAgent | null> {
  const column = scope === 'agents' ? agents.id : agents.deploymentId;
  const [agent] = await db
    .select({ id: agents.id, deploymentId: agents.deploymentId })
    .from(agents)
    .innerJoin(accounts, eq(accounts.name, account))
    .where(eq(column, scopeId))
    .orderBy(asc(agents.id))
    .limit(1);
  return agent ?? null;
}

type SessionSettings = z.output<typeof ChatSessionSettings>;

/** Session settings, and their location in the request. */
interface SessionSettingsInput {
  readonly settings: SessionSettings;
  readonly where: string;
}

const settingsHeader = 'x-session-settings';
const maxHeader = 32 * 1024;

/**
 * Reads the session settings of a request with an API key: from its body, or else from the header `x-session-settings`
 * (JSON in base64url, same schema), for requests that have no body for them (our extension).
 * @throws PlatformError 400 that names the field.
 */
function readSessionSettings(inBody: SessionSettings | null, headers: Headers): SessionSettingsInput {
  if (inBody) return { settings: inBody, where: 'body.sessionSettings' };
  const header = headers.get(settingsHeader);
  if (header === null) {
    const message = `is required with an API key: name the user that it acts for (or send ${settingsHeader}, JSON in base64url)`;
    throw new PlatformError(400, `body.sessionSettings: ${message}`);
  }
  const read = z.safeParse(ChatSessionSettings, readHeader(header));
  if (!read.success) throw new PlatformError(400, describeIssues(settingsHeader, read.error.issues));
  refuseUnstorable(read.data, settingsHeader);
  return { settings: read.data, where: settingsHeader };
}

function readHeader(header: string): unknown {
  if (header.length <= maxHeader && /^[\w-]+$/.test(header)) {
    try {
      return JSON.parse(Buffer.from(header, 'base64url').toString());
    } catch {
      // Rejected below, like any other invalid header.
    }
  }
  throw new PlatformError(400, `${settingsHeader}: must be JSON in base64url, at most ${maxHeader / 1024} KB`);
}

/**
 * Converts the settings to an embed grant on a deployment, so that a user has the same identity in a page and in a
 * host's back end.
 * @throws PlatformError 400 that names the field.
 */
function grantOf({ settings, where }: SessionSettingsInput, deploymentId: number): EmbedGrant {
  const refuse = (field: string, message: string): never => {
    throw new PlatformError(400, `${where}.${field}: ${message}`);
  };
  const {
    externalId,
    ephemeralTtlSeconds,
    timezone: _,
    locale: __,
    allowChatWorkspaceAuthoring: ___,
    ...who
  } = settings;
  if (ephemeralTtlSeconds != null) refuse('ephemeralTtlSeconds', 'is not supported');
  if (settings.roles != null) refuse('roles', 'is not supported');
  if (externalId != null && externalId !== externalId.trim().toLowerCase()) {
    refuse('externalId', 'must be lower case, without spaces around it');
  }
  const read = z.safeParse(EmbedGrant, { ...who, externalId, deploymentId });
  if (!read.success) throw new PlatformError(400, describeIssues(where, read.error.issues));
  const problem = checkEmbedGrant(read.data);
  if (problem) refuse(problem.field, problem.message);
  return read.data;
}

/** The parts of a Chat API request that identify the caller. */
interface ChatCall<P extends ChatPrincipal = ChatPrincipal> {
  readonly principal: P;
  readonly params: z.output<typeof ChatParams>;
  readonly request: Request;
}

/** Session settings of a body; `null` if it has none. */
type Settings = z.output<typeof ChatSessionSettings> | null;

/** Identity of the caller, which determines its threads and data. */
interface Identity {
  readonly userId: number;
  readonly embedTenantId: number | null;
  readonly securityContext: SecurityContext;
}

/** Language and time zone that a caller prefers. */
interface Preferences {
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
}

/**
 * Determines the caller and the agent (operations.md, Chat API). An API key acts for the user of its session settings.
 * A token acts for the user it was issued to; session settings can only choose its time zone and language.
 * @param sessionSettings - those of the body; requests with a key and without a body send them in a header.
 * @throws PlatformError 400 if session settings are missing or invalid, 403, 404 if the caller cannot access the agent.
 */
export type ResolveCaller = (call: ChatCall, sessionSettings?: Settings) => Promise<ChatCaller>;

/** Creates a caller resolver that uses a database. */
export function createCallerResolver(db: Db): ResolveCaller {
  // Most requests need the same agent.
  const agents = new Batcher<AgentPath, StoredAgent | null>(async paths => {
    const found = new Map<string, Promise<StoredAgent | null>>();
    return Promise.all(
      paths.map(({ account, scope, scopeId }) => {
        const key = JSON.stringify([account, scope, scopeId]);
        const agent = found.get(key) ?? findAgent(db, { account, scope, scopeId });
        found.set(key, agent);
        return agent;
      }),
    );
  });

  const configs = new Batcher<null, AccountConfig>(async requests => {
    const config = await accountConfig(db);
    return requests.map(() => config);
  });

  const findPolicies = createPoliciesFinder(db);
  const denials = new Batcher<number, ChatDenials>(async userIds => {
    const policies = await findPolicies([...new Set(userIds)]);
    return userIds.map(userId => chatDenials(policies.get(userId) ?? []));
  });

  /** @throws PlatformError 403 if a policy denies the chat to the user. */
  async function admit(caller: ChatCaller): Promise<ChatCaller> {
    const { deniesAgent, threads } = await denials.add(caller.userId);
    if (deniesAgent(caller.agentId))
      throw new PlatformError(403, 'A policy of the account denies the chat to this user.');
    return threads.size === 0 ? caller : { ...caller, deniedThreads: threads };
  }

  return async ({ principal, params, request }, sessionSettings = null) => {
    if (principal.kind === 'api-key') return callerOfKey({ principal, params, request }, sessionSettings);
    const [config, agent] = await Promise.all([configs.add(null), agents.add(params)]);
    requireAi(principal.settings, config);
    if (agent?.deploymentId !== principal.deploymentId) throw noAgent(params);
    return admit(settle(agent, principal, [sessionSettings, principal.settings, config.embedding]));
  };

  /** The user that a key acts for has only its own rights. Requires an admin's key, so that no caller gains rights. */
  async function callerOfKey(call: ChatCall<ApiKeyPrincipal>, sessionSettings: Settings): Promise<ChatCaller> {
    const { principal, params, request } = call;
    const config = await configs.add(null);
    requireAi({}, config);
    if (params.scope === 'deployments') throw new PlatformError(403, 'agentId is required for Api-Key authentication');
    if (!isManager(principal)) {
      throw new PlatformError(403, 'The Chat API requires an API key with the admin role.');
    }
    const given = readSessionSettings(sessionSettings, request.headers);
    const agent = await agents.add(params);
    if (!agent) throw noAgent(params);
    const grant = grantOf(given, agent.deploymentId);
    const claims = await applyGrant(db, grant, given.where, async (_tx, settled) => settled);
    return admit(settle(agent, claims, [given.settings, config.embedding]));
  }
}

function noAgent({ scope }: ChatCall['params']): PlatformError {
  return notFound(scope === 'agents' ? 'Agent' : 'Deployment');
}

function settle(
  agent: StoredAgent,
  { userId, embedTenantId, securityContext }: Identity,
  preferences: readonly (Preferences | null | undefined)[],
): ChatCaller {
  const at = { deploymentId: agent.deploymentId, agentId: agent.id };
  return {
    userId,
    embedTenantId,
    ...at,
    securityContext,
    ownerKey: hash('sha256', canonicalJson({ userId, embedTenantId, ...at, securityContext })),
    ...languageOf(preferences),
  };
}

/** The first valid time zone and locale of the preferences; invalid values are skipped (domain facts 1.4). */
function languageOf(preferences: readonly (Preferences | null | undefined)[]): Pick<ChatCaller, 'timezone' | 'locale'> {
  const first = (read: (given: Preferences) => string | undefined) =>
    preferences.map(given => given && read(given)).find(found => found != null);
  return {
    timezone: first(({ timezone }) => findTimezone(timezone ?? '')?.name) ?? 'UTC',
    locale: first(({ locale }) => findLocale(locale ?? '')) ?? 'en',
  };
}

function findLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
}

/** JSON with sorted object keys, so that equal values have equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
