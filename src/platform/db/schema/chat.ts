import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, json, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { ChatFrame, ChatImage, ChatUsage, FinishReason } from '../../../contract/chat.js';
import type { JsonObject } from '../../../contract/wire.js';
import { embedTenants, users } from './accounts.js';
import { createdAt, id, moment, ref } from './columns.js';
import { deploymentRef } from './deployments.js';

/** Agents of the chat. */
export const agents = pgTable('agents', { id: id(), deploymentId: deploymentRef(), name: text().notNull() });

/** Where a turn of a chat stands: under way, or why it ended. */
export type TurnStatus = 'running' | 'finished' | Exclude<FinishReason, 'stop'>;

/** Threads of the chat. Who may see one is in `ownerKey` alone; the other columns tell what goes when a user, a tenant or an agent does. */
export const chatThreads = pgTable(
  'chat_threads',
  {
    id: uuid().primaryKey().defaultRandom(),
    ownerKey: text().notNull(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In whose name it is; null where there is none. */
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
 * Messages of users, each with how its answer went. A turn that is `running` belongs to the process that holds its lease; once the
 * lease has run out it is suspended, whoever looks. A suspended turn can be resumed as long as `leaseExpiresAt` is less than 24 hours
 * ago; null ends that.
 */
export const chatTurns = pgTable(
  'chat_turns',
  {
    id: id(),
    threadId: uuid()
      .notNull()
      .references(() => chatThreads.id, { onDelete: 'cascade' }),
    ownerKey: text().notNull(),
    /** Place in the thread, from 1. */
    number: integer().notNull(),
    messageId: text().notNull(),
    input: text().notNull(),
    images: json().$type<readonly ChatImage[]>().notNull(),
    /** Of input and images: tells whether a message that is sent again is the same. */
    promptHash: text().notNull(),
    status: text().$type<TurnStatus>().notNull(),
    /** Why it failed, for its owner's eyes. */
    error: text(),
    usage: json().$type<ChatUsage>(),
    /** What the agent's last step said. */
    state: json().$type<JsonObject>(),
    /** How often it was begun; a run writes only under its own number. */
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

/** What was answered, as it is read back; stored step by step. */
export const chatMessages = pgTable(
  'chat_messages',
  {
    turnId: ref()
      .notNull()
      .references(() => chatTurns.id, { onDelete: 'cascade' }),
    /** Place in the turn, from 1. */
    position: integer().notNull(),
    frame: json().$type<ChatFrame>().notNull(),
  },
  table => [primaryKey({ columns: [table.turnId, table.position] })],
);
