import { hash } from 'node:crypto';
import { asc, eq, getTableColumns } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type ChatParams, type ChatScope, ChatSessionSettings } from '../../contract/chat.js';
import { checkEmbedGrant, EmbedGrant } from '../../contract/embed-grant.js';
import { lowerAscii } from '../../contract/lower-ascii.js';
import { describeIssues } from '../../contract/messages.js';
import type { Policy } from '../../contract/roles.js';
import type {
  AccountPrincipal,
  ChatPrincipal,
  ChatTokenPrincipal,
  EmbedPrincipal,
  SecurityContext,
} from '../auth/principal.js';
import {
  type AgentRef,
  allResources,
  isAllowed,
  isAllowedOnAgent,
  isAllowedOnDeployment,
  Tier,
} from '../auth/rights.js';
import { findTimezone } from '../data/time/time-zone.js';
import type { Db } from '../db/database.js';
import { accounts, agents } from '../db/schema.js';
import { applyGrant } from '../embed/apply-grant.js';
import { PlatformError } from '../errors.js';
import { isManager, notFound } from '../http/access.js';
import { rejectUnstorable } from '../http/serve.js';
import { chatThreadActions } from '../people/policies.js';
import { createPoliciesFinder } from '../people/role-store.js';
import { Batcher } from '../runtime/batcher.js';
import { type AccountConfig, accountConfig, requireAi } from '../settings/account-settings.js';
import type { ChatCaller } from './chat-service.js';

/** Chats that policies allow or deny to a user (spec 2.8). A deny takes precedence over any allow. */
interface ChatRights {
  /**
   * True if a policy allows the agent, its space, its deployment or chats with it. If so, the agent's groups do not
   * restrict the user.
   */
  allowsAgent(agent: AgentRef & { readonly deploymentId: number }): boolean;
  /** True if all chats, or all chats with this agent, are denied. */
  deniesAgent(agentId: number): boolean;
  /** Ids of denied threads. */
  readonly threads: ReadonlySet<string>;
}

/** Returns the chat rights that a user's policies grant. Policies cannot grant access to threads of other users. */
function chatRights(policies: readonly Policy[]): ChatRights {
  const denied = policies
    .filter(({ resourceType, effect }) => resourceType === 'ChatThread' && effect === 'deny')
    .filter(({ actions }) => actions.some(action => isChatAction(action)))
    .flatMap(({ resources }) => resources);
  const ids = new Set(denied);
  const rights = { isAdmin: false, tier: Tier.none, policies };
  const allowsAgent: ChatRights['allowsAgent'] = agent =>
    isAllowedOnAgent(rights, 'AgentRead', agent) ||
    isAllowedOnAgent(rights, 'AgentManage', agent) ||
    isAllowed(rights, 'DeploymentAgentRead', 'Deployment', agent.deploymentId) ||
    chatThreadActions.some(action => isAllowed(rights, action, 'ChatThread', agent.id));
  return { allowsAgent, deniesAgent: agentId => ids.has(allResources) || ids.has(String(agentId)), threads: ids };
}

function isChatAction(action: string): boolean {
  return action === allResources || chatThreadActions.some(name => name === action);
}

/** Maximum number of agents of a deployment that are searched for the first one that the user can use. */
const maxAgents = 100;

/** The agent in the path of a chat: its own id, or a deployment. */
interface AgentPath {
  readonly account: string;
  readonly scope: ChatScope;
  readonly scopeId: number;
}

type StoredAgent = typeof agents.$inferSelect;

/** Returns the agents of a path, oldest first; none if the account does not exist. */
function findAgents(db: Db, { account, scope, scopeId }: AgentPath): Promise<readonly StoredAgent[]> {
  const column = scope === 'agents' ? agents.id : agents.deploymentId;
  return db
    .select(getTableColumns(agents))
    .from(agents)
    .innerJoin(accounts, eq(accounts.name, account))
    .where(eq(column, scopeId))
    .orderBy(asc(agents.id))
    .limit(maxAgents);
}

type SessionSettings = z.output<typeof ChatSessionSettings>;

/** Session settings, and their location in the request. */
interface SessionSettingsInput {
  readonly settings: SessionSettings;
  readonly where: string;
}

/** Header with the branch for requests whose body cannot contain one (extension). */
const branchHeader = 'x-branch-name';
const deployBranch = 'main';

/** The branch that a body names: `null` for production, `undefined` if it names none. */
export type RequestedBranch = string | null | undefined;

/** Returns the branch that a request names in its body, or else in a header. */
function readBranch(inBody: RequestedBranch, headers: Headers): RequestedBranch {
  const named = inBody === undefined ? headers.get(branchHeader) : inBody;
  if (named === deployBranch) return null;
  return inBody === undefined ? (named ?? undefined) : named;
}

/**
 * Returns the branch of a caller with a token: that of its session.
 * @throws PlatformError 403 if the request names another one.
 */
function branchOfToken(
  principal: EmbedPrincipal | ChatTokenPrincipal,
  requestedBranch: RequestedBranch,
): string | undefined {
  const own = principal.kind === 'embed' ? principal.branchName : undefined;
  if (requestedBranch === undefined || (requestedBranch ?? undefined) === own) return own;
  throw new PlatformError(403, 'activeBranchName: the token of this request can use only the branch of its session');
}

const settingsHeader = 'x-session-settings';
const maxHeader = 32 * 1024;

/**
 * Reads the session settings of a request with an API key: from its body, or else from the header `x-session-settings`
 * (JSON in base64url, same schema), for requests without a body (extension).
 * @throws PlatformError 400 with the name of the field.
 */
function readSessionSettings(inBody: SessionSettings | null, headers: Headers): SessionSettingsInput {
  if (inBody) return { settings: inBody, where: 'body.sessionSettings' };
  const header = headers.get(settingsHeader);
  if (header === null) {
    const message = `is required with an API key; set the user that the key acts for, here or in ${settingsHeader} (JSON in base64url)`;
    throw new PlatformError(400, `body.sessionSettings: ${message}`);
  }
  const read = z.safeParse(ChatSessionSettings, readHeader(header));
  if (!read.success) throw new PlatformError(400, describeIssues(settingsHeader, read.error.issues));
  rejectUnstorable(read.data, settingsHeader);
  return { settings: read.data, where: settingsHeader };
}

function readHeader(header: string): unknown {
  if (header.length <= maxHeader && /^[\w-]+$/.test(header)) {
    try {
      return JSON.parse(Buffer.from(header, 'base64url').toString());
    } catch {
      // Invalid JSON is rejected below, like any other invalid header.
    }
  }
  throw new PlatformError(400, `${settingsHeader}: must be JSON in base64url, at most ${maxHeader / 1024} KB`);
}

/**
 * Converts the settings to an embed grant on a deployment, so that a user has the same identity in embed sessions and
 * in calls of a host's back end.
 * @throws PlatformError 400 with the name of the field.
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
  if (externalId != null && externalId !== lowerAscii(externalId.trim())) {
    refuse('externalId', 'must be lowercase, without leading or trailing spaces');
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

/** Session settings of a body; `null` if not set. */
type Settings = z.output<typeof ChatSessionSettings> | null;

/** Identity of the caller, which determines its threads and data. */
interface Identity extends Pick<ChatCaller, 'principal'> {
  readonly userId: number;
  readonly embedTenantId: number | null;
  readonly securityContext: SecurityContext;
  /** The branch whose model answers; production if not set. */
  readonly branchName?: string | undefined;
}

/** Preferred language and time zone of a caller. */
interface Preferences {
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
}

/**
 * Determines the caller and the agent (operations.md, Chat API). An API key acts for the user of its session settings.
 * A token acts for the user that it was issued to; session settings can only choose its time zone and language.
 * The branch is that of the session, or the one that a caller with `SchemaRead` names. Does not check that it exists.
 * @param sessionSettings - settings in the body; requests without a body send them in a header.
 * @param branch - branch in the body; other requests can name it in the header `x-branch-name`.
 * @throws PlatformError 400 if session settings are missing or invalid, 403, 404 if the caller cannot access the agent.
 */
export type ResolveCaller = (
  call: ChatCall,
  sessionSettings?: Settings,
  branch?: RequestedBranch,
) => Promise<ChatCaller>;

/** Creates the function that resolves callers with the database. */
export function createCallerResolver(db: Db): ResolveCaller {
  const agents = createAgentBatcher(db);

  const configs = new Batcher<null, AccountConfig>(async requests => {
    const config = await accountConfig(db);
    return requests.map(() => config);
  });

  const findPolicies = createPoliciesFinder(db);
  const rightsOf = new Batcher<number, ChatRights>(async userIds => {
    const policies = await findPolicies([...new Set(userIds)]);
    return userIds.map(userId => chatRights(policies.get(userId) ?? []));
  });

  /**
   * Selects the first agent that the user may chat with.
   * @throws PlatformError 403 if a policy denies the user access to the chat, 404 if the user can use no agent.
   */
  async function admit(
    params: ChatCall['params'],
    found: readonly StoredAgent[],
    identity: Identity,
    preferences: readonly (Preferences | null | undefined)[],
  ): Promise<ChatCaller> {
    const { allowsAgent, deniesAgent, threads } = await rightsOf.add(identity.userId);
    const { groups } = identity.securityContext.platform;
    const agent =
      found.find(each => each.groups?.some(name => groups.includes(name)) ?? true) ?? found.find(allowsAgent);
    if (!agent) throw noAgent(params);
    if (deniesAgent(agent.id))
      throw new PlatformError(403, 'A policy of the account denies this user access to the chat.');
    const caller = settle(agent, identity, preferences);
    return threads.size === 0 ? caller : { ...caller, deniedThreads: threads };
  }

  return async ({ principal, params, request }, sessionSettings = null, branch = undefined) => {
    const requestedBranch = readBranch(branch, request.headers);
    if (principal.kind === 'api-key' || principal.kind === 'person')
      return callerOfKey({ principal, params, request }, sessionSettings, requestedBranch ?? undefined);
    const branchName = branchOfToken(principal, requestedBranch);
    const [config, found] = await Promise.all([configs.add(null), agents.add(params)]);
    requireAi(principal.settings, config);
    const own = found.filter(({ deploymentId }) => deploymentId === principal.deploymentId);
    const kind = principal.kind === 'embed' ? principal.kind : 'data-token';
    const identity = { ...principal, principal: kind, branchName } as const;
    return admit(params, own, identity, [sessionSettings, principal.settings, config.embedding]);
  };

  /**
   * Resolves the caller that a key or a signed-in user acts for. The caller has only the rights of its own user.
   * Requires the admin role, so that no caller gains rights.
   */
  async function callerOfKey(
    call: ChatCall<AccountPrincipal>,
    sessionSettings: Settings,
    branchName: string | undefined,
  ): Promise<ChatCaller> {
    const { principal, params, request } = call;
    const config = await configs.add(null);
    requireAi({}, config);
    if (params.scope === 'deployments') throw new PlatformError(403, 'agentId is required for Api-Key authentication');
    if (!isManager(principal)) {
      throw new PlatformError(403, 'The Chat API requires an API key or a signed-in user with the admin role.');
    }
    const given = readSessionSettings(sessionSettings, request.headers);
    const found = await agents.add(params);
    const [agent] = found;
    if (!agent) throw noAgent(params);
    if (branchName !== undefined && !isAllowedOnDeployment(principal.rights, 'SchemaRead', agent.deploymentId)) {
      throw new PlatformError(403, 'activeBranchName: requires a policy with SchemaRead on the deployment');
    }
    const grant = grantOf(given, agent.deploymentId);
    const claims = await applyGrant(db, grant, given.where, async (_tx, settled) => settled);
    const identity = { ...claims, principal: principal.kind, branchName };
    return admit(params, found, identity, [given.settings, config.embedding]);
  }
}

/** Batches requests for agents and shares their results, because most requests need the same agent. */
function createAgentBatcher(db: Db): Batcher<AgentPath, readonly StoredAgent[]> {
  return new Batcher<AgentPath, readonly StoredAgent[]>(async paths => {
    const found = new Map<string, Promise<readonly StoredAgent[]>>();
    return Promise.all(
      paths.map(({ account, scope, scopeId }) => {
        const key = JSON.stringify([account, scope, scopeId]);
        const agent = found.get(key) ?? findAgents(db, { account, scope, scopeId });
        found.set(key, agent);
        return agent;
      }),
    );
  });
}

function noAgent({ scope }: ChatCall['params']): PlatformError {
  return notFound(scope === 'agents' ? 'Agent' : 'Deployment');
}

function settle(
  agent: StoredAgent,
  { principal, userId, embedTenantId, securityContext, branchName }: Identity,
  preferences: readonly (Preferences | null | undefined)[],
): ChatCaller {
  const branch = branchName === undefined ? {} : { branchName };
  const at = { deploymentId: agent.deploymentId, agentId: agent.id, ...branch };
  const { instructions, views, tools, toolServers, suggestions, model } = agent;
  const owner = { userId, embedTenantId, ...at, securityContext, ...(views !== null && { views }) };
  return {
    principal,
    userId,
    embedTenantId,
    ...at,
    agent: { instructions, views, tools, toolServers, suggestions, model },
    securityContext,
    ownerKey: hash('sha256', canonicalJson(owner)),
    ...languageOf(preferences),
  };
}

/** Returns the first valid time zone and locale of the preferences; invalid values are skipped (domain.md 1.4). */
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

/** Serializes a value as JSON with sorted object keys, so that equal values have equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
