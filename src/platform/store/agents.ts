import { asc, eq } from 'drizzle-orm';
import type { ChatScope } from '../../contract/chat.js';
import type { Db } from './database.js';
import { accounts, agents } from './schema.js';

/** How a chat's path names an agent: by its own id, or as the one of a deployment. */
export interface AgentPath {
  readonly account: string;
  readonly scope: ChatScope;
  readonly scopeId: number;
}

/** An agent, and the deployment whose data it answers from. */
export interface StoredAgent {
  readonly id: number;
  readonly deploymentId: number;
}

/** The agent of a path; of a deployment that has several the first. Null when there is none, or no such account. */
export async function findAgent(db: Db, { account, scope, scopeId }: AgentPath): Promise<StoredAgent | null> {
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
