import { hash } from 'node:crypto';
import type * as z from 'zod/mini';
import type { ChatParams, ChatSessionSettings } from '../../contract/chat.js';
import { type ChatDenials, chatDenials } from '../access/chat-denials.js';
import { Batches } from '../batches.js';
import type { ChatCaller } from '../chat/chat-service.js';
import { findTimezone } from '../data/model/dates.js';
import type { SecurityContext } from '../data/semantic-model.js';
import { PlatformError } from '../errors.js';
import type { ApiKeyPrincipal, ChatPrincipal } from '../principal.js';
import { type AccountConfig, accountConfig } from '../store/accounts.js';
import { type AgentPath, findAgent, type StoredAgent } from '../store/agents.js';
import type { Db } from '../store/database.js';
import { policiesFinder } from '../store/roles.js';
import { isManager, notFound } from './access.js';
import { applyGrant } from './apply-grant.js';
import { requireAi } from './chat-access.js';
import { grantOf, readGivenSettings } from './chat-settings.js';

/** A request of the Chat API as far as it tells who chats. */
export interface ChatCall<P extends ChatPrincipal = ChatPrincipal> {
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
export type SettleCaller = (call: ChatCall, sessionSettings?: Settings) => Promise<ChatCaller>;

/** Makes what settles callers over a database. */
export function createSettleCaller(db: Db): SettleCaller {
  // Nearly all ask for the same one.
  const agents = new Batches<AgentPath, StoredAgent | null>(async paths => {
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

  const configs = new Batches<null, AccountConfig>(async asked => {
    const config = await accountConfig(db);
    return asked.map(() => config);
  });

  const findPolicies = policiesFinder(db);
  const denials = new Batches<number, ChatDenials>(async userIds => {
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
    const given = readGivenSettings(sessionSettings, request.headers);
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
