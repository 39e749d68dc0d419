import { and, eq, gte, lt } from 'drizzle-orm';
import type { Hono } from 'hono';
import { type AgentFeedback, listAgentFeedback } from '../../contract/agent-feedback.js';
import type { ChatFeedback } from '../../contract/chat.js';
import { isAllowedOnDeployment } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { agents, chatFeedback, chatThreads, chatTurns, embedTenants } from '../db/schema.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';
import { type AllowedAgents, allowedAgents, canManageAgent } from './agent-rights.js';
import { isAmong } from './agent-store.js';
import { requireDeployment } from './require-deployment.js';

const columns = {
  turnId: chatFeedback.turnId,
  agentId: chatThreads.agentId,
  chatId: chatThreads.id,
  messageId: chatTurns.messageId,
  rating: chatFeedback.rating,
  comment: chatFeedback.comment,
  question: chatTurns.input,
  userId: chatThreads.userId,
  embedTenantName: embedTenants.name,
  createdAt: chatFeedback.createdAt,
  updatedAt: chatFeedback.updatedAt,
};

/** Stored feedback with the thread that it belongs to. */
type StoredFeedback = Pick<
  typeof chatFeedback.$inferSelect,
  'turnId' | 'rating' | 'comment' | 'createdAt' | 'updatedAt'
> &
  Pick<typeof chatThreads.$inferSelect, 'agentId' | 'userId'> & {
    readonly chatId: string;
    readonly messageId: string;
    readonly question: string;
    readonly embedTenantName: string | null;
  };

/** Filter of a list of feedback. */
interface FeedbackFilter {
  readonly deploymentId: number;
  /** `null` for all agents. */
  readonly allowed: AllowedAgents | null;
  readonly agentId: number | undefined;
  readonly rating: ChatFeedback['rating'] | undefined;
  /** Start of the time range, inclusive. */
  readonly from: Date | undefined;
  /** End of the time range, exclusive. */
  readonly to: Date | undefined;
}

const latestFirst = new Keyset<StoredFeedback>(
  'agent-feedback',
  { updatedAt: chatFeedback.updatedAt, turnId: chatFeedback.turnId },
  'desc',
);

async function findFeedback(
  db: Db,
  { deploymentId, allowed, agentId, rating, from, to }: FeedbackFilter,
  page: PageRequest,
): Promise<KeysetPage<StoredFeedback>> {
  const rows = await db
    .select(columns)
    .from(chatFeedback)
    .innerJoin(chatTurns, eq(chatTurns.id, chatFeedback.turnId))
    .innerJoin(chatThreads, eq(chatThreads.id, chatTurns.threadId))
    .innerJoin(agents, eq(agents.id, chatThreads.agentId))
    .leftJoin(embedTenants, eq(embedTenants.id, chatThreads.embedTenantId))
    .where(
      and(
        eq(chatThreads.deploymentId, deploymentId),
        isAmong(allowed),
        agentId === undefined ? undefined : eq(chatThreads.agentId, agentId),
        rating === undefined ? undefined : eq(chatFeedback.rating, rating),
        from && gte(chatFeedback.updatedAt, from),
        to && lt(chatFeedback.updatedAt, to),
        latestFirst.after(page),
      ),
    )
    .orderBy(...latestFirst.orderBy)
    .limit(latestFirst.limit(page));
  return latestFirst.pageWithinBytes(rows, page);
}

/** Mounts the route that lists feedback on answers (extension). */
export function mountAgentFeedback(app: Hono, deps: RouteDeps): void {
  serve(app, listAgentFeedback, deps, async ({ params: { deploymentId }, query, principal }) => {
    await requireDeployment(deps.db, principal, deploymentId);
    const { rights } = principal;
    const { agentId, rating, from, to, ...page } = query;
    const filter = {
      deploymentId,
      allowed: allowedAgents(rights, canManageAgent, 'AgentManage'),
      agentId,
      rating,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const { items, pageInfo } = await findFeedback(deps.db, filter, page);
    const canReadChats = isAllowedOnDeployment(rights, 'ChatHistoryRead', deploymentId);
    return { items: items.map(item => show(item, { canReadChats })), pageInfo };
  });
}

function show(
  { turnId: _, comment, question, embedTenantName, createdAt, updatedAt, ...rest }: StoredFeedback,
  { canReadChats }: { readonly canReadChats: boolean },
): AgentFeedback {
  return {
    ...rest,
    ...(comment !== null && { comment }),
    ...(canReadChats && { question }),
    ...(embedTenantName !== null && { embedTenantName }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
