import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type ChatFrame, ToolName } from '../../../contract/chat.js';
import type { JsonObject } from '../../../contract/wire.js';
import { answerChecksum } from '../../agent/tools/answer-checksum.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { chatMessages, chatThreads, chatTurns } from '../../db/schema.js';
import { isUuid } from '../../db/uuid.js';
import type { PinnedAnswer } from './widget-threads.js';

/** The query and the chart of an answer, as stored and not validated. */
export interface AnswerSource {
  readonly checksum: string;
  readonly query: JsonObject;
  readonly vegaSpec: unknown;
  readonly computed?: unknown;
}

/** Number of results that are read at once. Small, because a result can have 200 KB. */
const pageSize = 5;
/** Maximum number of queries of a thread that are searched for an answer. */
const maxResults = 200;

/** True if the thread belongs to the caller. In an embed session, it must also belong to the tenant of the session. */
export async function isThreadOf(
  db: Db,
  principal: Principal,
  { deploymentId, threadId }: { readonly deploymentId: number; readonly threadId: string },
): Promise<boolean> {
  if (!isUuid(threadId)) return false;
  const isOwn = and(
    eq(chatThreads.id, threadId),
    eq(chatThreads.deploymentId, deploymentId),
    eq(chatThreads.userId, principal.userId),
    principal.kind === 'embed' ? eq(chatThreads.embedTenantId, principal.embedTenantId) : undefined,
  );
  return (await db.$count(chatThreads, isOwn)) > 0;
}

/** Thread and checksum of an answer; `null` means the last answer of the thread. */
type AnswerName = PinnedAnswer & { readonly deploymentId: number };

/** Finds an answer of a thread; `deleted` if it does not exist, `noQuery` if the last answer has no query. */
export async function findAnswer(
  db: Db,
  { threadId, checksum, deploymentId }: AnswerName,
): Promise<AnswerSource | 'deleted' | 'noQuery'> {
  if (!isUuid(threadId)) return 'deleted';
  const [last] = await db
    .select({ number: sql<number | null>`max(${chatTurns.number}) filter (where ${chatTurns.status} = 'finished')` })
    .from(chatThreads)
    .leftJoin(chatTurns, eq(chatTurns.threadId, chatThreads.id))
    .where(and(eq(chatThreads.id, threadId), eq(chatThreads.deploymentId, deploymentId)))
    .groupBy(chatThreads.id);
  if (!last) return 'deleted';
  const within = checksum === null ? eq(chatTurns.number, last.number ?? 0) : undefined;
  let before: Position | null = null;
  for (let read = 0; read < maxResults; read += pageSize) {
    const page = await resultsBefore(db, threadId, { before, within });
    for (const { frame } of page) {
      const answer = frame.toolCall?.name === ToolName.dataQuery ? readAnswer(frame.toolCall.result) : null;
      if (answer && (checksum === null || answer.checksum === checksum)) return answer;
    }
    before = page.at(-1) ?? null;
    if (page.length < pageSize) break;
  }
  return checksum === null ? 'noQuery' : 'deleted';
}

/** Position of a message in a thread: number of the turn, and position in the turn. */
interface Position {
  readonly number: number;
  readonly position: number;
}

type FoundResult = Position & { readonly frame: ChatFrame };

function resultsBefore(
  db: Db,
  threadId: string,
  { before, within }: { readonly before: Position | null; readonly within: SQL | undefined },
): Promise<FoundResult[]> {
  const { turnId, position, frame } = chatMessages;
  // A language model may send characters that Postgres cannot convert. JSON operators then fail on the frame.
  const isQuery = sql`${frame}::text like ${`%"name":"${ToolName.dataQuery}"%`}`;
  const isBefore =
    before && sql`(${chatTurns.number}, ${position}) < (${before.number}::integer, ${before.position}::integer)`;
  return db
    .select({ number: chatTurns.number, position, frame })
    .from(chatMessages)
    .innerJoin(chatTurns, eq(chatTurns.id, turnId))
    .where(and(eq(chatTurns.threadId, threadId), isQuery, within, isBefore ?? undefined))
    .orderBy(desc(chatTurns.number), desc(position))
    .limit(pageSize);
}

/** Reads the result of a query; `null` if the tool failed, or if a widget cannot compute the values of the answer. */
function readAnswer(result: string | undefined): AnswerSource | null {
  const { query, vegaSpec, computed, checksum } = parseObject(result ?? '');
  if (typeof query !== 'object' || query === null || Array.isArray(query) || checksum === '') return null;
  return { checksum: answerChecksum({ query, vegaSpec, computed }), query: { ...query }, vegaSpec, computed };
}

/** Parses a JSON object; returns an empty object for any other text. */
export function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    // Ignore the error, because a message may contain any text.
    return {};
  }
}
