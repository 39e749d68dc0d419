import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, json, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { AgentToolServer } from '../../../contract/agents.js';
import type {
  ChatContext,
  ChatFeedback,
  ChatFrame,
  ChatImage,
  ChatUsage,
  FinishReason,
} from '../../../contract/chat.js';
import type { JsonObject } from '../../../contract/wire.js';
import { embedTenants, users } from './accounts.js';
import { createdAt, id, moment, ref } from './columns.js';
import { deploymentRef } from './deployments.js';

/** Agent spaces. Policies on a space apply to its agents. */
export const agentSpaces = pgTable('agent_spaces', {
  id: id(),
  deploymentId: deploymentRef(),
  name: text().notNull(),
  description: text(),
});

/** Chat agents. A setting that is `null` does not restrict the agent. */
export const agents = pgTable('agents', {
  id: id(),
  deploymentId: deploymentRef(),
  name: text().notNull(),
  description: text(),
  instructions: text(),
  views: json().$type<string[]>(),
  tools: json().$type<string[]>(),
  toolServers: json().$type<AgentToolServer[]>(),
  suggestions: json().$type<string[]>(),
  model: text(),
  groups: json().$type<string[]>(),
  spaceId: ref().references(() => agentSpaces.id, { onDelete: 'set null' }),
});

/** State of a chat turn: running, or why it ended. */
export type TurnStatus = 'running' | 'finished' | Exclude<FinishReason, 'stop'>;

/**
 * Chat threads. `ownerKey` alone determines who may see a thread; the other columns reference the user, tenant and
 * agent with which it is deleted.
 */
export const chatThreads = pgTable(
  'chat_threads',
  {
    id: uuid().primaryKey().defaultRandom(),
    ownerKey: text().notNull(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The tenant of the user; `null` if it has none. */
    embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'cascade' }),
    deploymentId: deploymentRef(),
    agentId: ref()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  table => [
    index().on(table.ownerKey, table.updatedAt, table.id),
    index().on(table.userId),
    index().on(table.embedTenantId),
  ],
);

/**
 * User messages with the state of their answers. The process that holds the lease answers a `running` turn; once the
 * lease has expired, the turn is treated as suspended. A suspended turn can be resumed for 24 hours after
 * `leaseExpiresAt`; `null` means that it cannot.
 */
export const chatTurns = pgTable(
  'chat_turns',
  {
    id: id(),
    threadId: uuid()
      .notNull()
      .references(() => chatThreads.id, { onDelete: 'cascade' }),
    ownerKey: text().notNull(),
    /** Position in the thread, from 1. */
    number: integer().notNull(),
    messageId: text().notNull(),
    input: text().notNull(),
    images: json().$type<readonly ChatImage[]>().notNull(),
    /** The dashboard that the message is about; `null` if none. */
    context: json().$type<ChatContext>(),
    /** Hash of input and images, used to detect whether a repeated message is the same. */
    promptHash: text().notNull(),
    status: text().$type<TurnStatus>().notNull(),
    /** Reason of a failure, shown to the owner. */
    error: text(),
    usage: json().$type<ChatUsage>(),
    /** State of the agent after its last step. */
    state: json().$type<JsonObject>(),
    /** Number of attempts. A run may write only while this number equals that of its own attempt. */
    attempt: integer().notNull().default(1),
    leaseOwner: text(),
    leaseExpiresAt: moment(),
    abortRequested: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  table => [
    unique().on(table.threadId, table.number),
    unique().on(table.threadId, table.messageId),
    index().on(table.ownerKey, table.messageId),
    index().on(table.ownerKey).where(sql`${table.status} = 'running'`),
    check(
      'chat_turns_status',
      sql`${table.status} in ('running', 'finished', 'aborted', 'failed', 'length', 'suspended')`,
    ),
  ],
);

/** Messages of answers, stored after each step. */
export const chatMessages = pgTable(
  'chat_messages',
  {
    turnId: ref()
      .notNull()
      .references(() => chatTurns.id, { onDelete: 'cascade' }),
    /** Position in the turn, from 1. */
    position: integer().notNull(),
    frame: json().$type<ChatFrame>().notNull(),
  },
  table => [primaryKey({ columns: [table.turnId, table.position] })],
);

/** Feedback of users on the answers to their messages. */
export const chatFeedback = pgTable(
  'chat_feedback',
  {
    turnId: ref()
      .primaryKey()
      .references(() => chatTurns.id, { onDelete: 'cascade' }),
    rating: text().$type<ChatFeedback['rating']>().notNull(),
    comment: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  table => [
    index().on(table.updatedAt, table.turnId),
    check('chat_feedback_rating', sql`${table.rating} in ('up', 'down')`),
  ],
);
