import { hash } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type ChatParams, type ChatScope, ChatSessionSettings } from '../../contract/chat.js';
import { checkEmbedGrant, EmbedGrant } from '../../contract/embed-grant.js';
import type { Policy } from '../../contract/roles.js';
import type { ApiKeyPrincipal, ChatPrincipal, SecurityContext } from '../auth/principal.js';
import { allResources } from '../auth/rights.js';
import { findTimezone } from '../data/time/time-zone.js';
import type { Db } from '../db/database.js';
import { accounts, agents } from '../db/schema.js';
import { applyGrant } from '../embed/apply-grant.js';
import { PlatformError } from '../errors.js';
import { isManager, notFound } from '../http/access.js';
import { describeIssues } from '../http/mount.js';
import { refuseUnstorable } from '../http/serve.js';
import { chatThreadActions } from '../people/policies.js';
import { createPoliciesFinder } from '../people/role-store.js';
import { Batcher } from '../runtime/batcher.js';
import { type AccountConfig, accountConfig, requireAi } from '../settings/account-settings.js';
import type { ChatCaller } from './chat-service.js';

/** Chats that are closed to a user by policies with `effect: deny` (spec 2.8): a deny wins, whatever else allows. */
interface ChatDenials {
  /** True where every chat is closed, or all with this agent. */
  deniesAgent(agentId: number): boolean;
  /** Ids of single threads that are closed. */
  readonly threads: ReadonlySet<string>;
}

/** What a user's policies deny of the chat. Whose threads are whose no policy changes: an allow opens nobody else's. */
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

/** How a chat's path names an agent: by its own id, or as the one of a deployment. */
interface AgentPath {
  readonly account: string;
  readonly scope: ChatScope;
  readonly scopeId: number;
}

/** An agent, and the deployment whose data it answers from. */
interface StoredAgent {
  readonly id: number;
  readonly deploymentId: number;
}

/** The agent of a path; of a deployment that has several the first. Null when there is none, or no such account. */
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

/** Session settings, and where in the request they stand. */
interface SessionSettingsInput {
  readonly settings: SessionSettings;
  readonly where: string;
}

const settingsHeader = 'x-session-settings';
const maxHeader = 32 * 1024;

/**
 * The session settings of a request with a key: those of its body, else of the header `x-session-settings`, JSON in base64url by the
 * same schema, for requests whose body has no room for them (our extension).
 * @throws PlatformError 400 that names the field
 */
function readSessionSettings(inBody: SessionSettings | null, headers: Headers): SessionSettingsInput {
  if (inBody) return { settings: inBody, where: 'body.sessionSettings' };
  const header = headers.get(settingsHeader);
  if (header === null) {
    const message = `is required with an API key: say whom it speaks for (or send ${settingsHeader}, JSON in base64url)`;
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
      // Told below, like everything else that is no JSON in base64url.
    }
  }
  throw new PlatformError(400, `${settingsHeader}: must be JSON in base64url, ${maxHeader / 1024} KB at most`);
}

/**
 * What the settings grant on a deployment, so that a user is the same whether a page or a host's back end chats for them.
 * @throws PlatformError 400 that names the field
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
    refuse('externalId', 'must be in lower case, without spaces around it');
  }
  const read = z.safeParse(EmbedGrant, { ...who, externalId, deploymentId });
  if (!read.success) throw new PlatformError(400, describeIssues(where, read.error.issues));
  const problem = checkEmbedGrant(read.data);
  if (problem) refuse(problem.field, problem.message);
  return read.data;
}

/** A request of the Chat API as far as it tells who chats. */
interface ChatCall<P extends ChatPrincipal = ChatPrincipal> {
  readonly principal: P;
  readonly params: z.output<typeof ChatParams>;
  readonly request: Request;
}

/** Session settings of a body; null where it has none. */
type Settings = z.output<typeof ChatSessionSettings> | null;

/** Whose threads, and what answers may be made of. */
interface Identity {
  readonly userId: number;
  readonly embedTenantId: number | null;
  readonly securityContext: SecurityContext;
}

/** What a caller would have answers in. */
interface Preferences {
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
}

/**
 * Settles who chats, and with which agent (operations.md, Chat API). A key speaks for the user of its session settings; a token is who
 * it was made for, and settings beside it choose a time zone and a language at most.
 * @param sessionSettings - those of the body; a key whose request has none sends them in a header.
 * @throws PlatformError 400 for session settings that are missing or unsound, 403, 404 for an agent that the caller can't reach
 */
type ResolveCaller = (call: ChatCall, sessionSettings?: Settings) => Promise<ChatCaller>;

/** Makes what settles callers over a database. */
export function createCallerResolver(db: Db): ResolveCaller {
  // Nearly all ask for the same one.
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

  const configs = new Batcher<null, AccountConfig>(async asked => {
    const config = await accountConfig(db);
    return asked.map(() => config);
  });

  const findPolicies = createPoliciesFinder(db);
  const denials = new Batcher<number, ChatDenials>(async userIds => {
    const policies = await findPolicies([...new Set(userIds)]);
    return userIds.map(userId => chatDenials(policies.get(userId) ?? []));
  });

  /** @throws PlatformError 403 where a policy closes the chat to whoever it is. */
  async function admit(caller: ChatCaller): Promise<ChatCaller> {
    const { deniesAgent, threads } = await denials.add(caller.userId);
    if (deniesAgent(caller.agentId)) throw new PlatformError(403, 'A policy of the account denies this user the chat.');
    return threads.size === 0 ? caller : { ...caller, deniedThreads: threads };
  }

  return async ({ principal, params, request }, sessionSettings = null) => {
    if (principal.kind === 'api-key') return callerOfKey({ principal, params, request }, sessionSettings);
    const [config, agent] = await Promise.all([configs.add(null), agents.add(params)]);
    requireAi(principal.settings, config);
    if (agent?.deploymentId !== principal.deploymentId) throw noAgent(params);
    return admit(settle(agent, principal, [sessionSettings, principal.settings, config.embedding]));
  };

  /** Whoever the key speaks for has the own rights: an admin's key may do all that any user may, so none gains by it. */
  async function callerOfKey(call: ChatCall<ApiKeyPrincipal>, sessionSettings: Settings): Promise<ChatCaller> {
    const { principal, params, request } = call;
    const config = await configs.add(null);
    requireAi({}, config);
    if (params.scope === 'deployments') throw new PlatformError(403, 'agentId is required for Api-Key authentication');
    if (!isManager(principal)) {
      throw new PlatformError(403, 'To speak for users in the Chat API takes an API key with the admin role.');
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

/** The first time zone and the first language that there are: what is unknown falls through (domain facts 1.4). */
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

/** JSON with the keys of every object in order, so that equal values are equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
