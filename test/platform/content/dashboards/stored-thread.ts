import { answerChecksum } from '../../../../src/platform/agent/tools/answer-checksum.js';
import type { Db } from '../../../../src/platform/db/database.js';
import { chatMessages, chatThreads, chatTurns } from '../../../../src/platform/db/schema.js';

/** Who owns a thread, by default the admin of the account. */
interface Owner {
  readonly userId?: number;
  readonly embedTenantId?: number | null;
}

/** The result of the tool `dataQuery`; `null` for an answer without a query. */
export type StoredResult = { readonly query: unknown; readonly vegaSpec?: unknown; readonly [key: string]: unknown };

/** Stores a thread with one finished answer per result. Returns its id and the checksums of the answers. */
export async function storeThread(db: Db, results: readonly (StoredResult | null)[], owner: Owner = {}) {
  const { userId = 1, embedTenantId = null } = owner;
  const thread = { ownerKey: `owner ${userId}`, userId, embedTenantId, deploymentId: 1, agentId: 1, title: 'Private' };
  const [stored] = await db.insert(chatThreads).values(thread).returning();
  if (!stored) throw new Error('The thread was not stored.');
  for (const [index, result] of results.entries()) {
    const [turn] = await db
      .insert(chatTurns)
      .values({
        threadId: stored.id,
        ownerKey: thread.ownerKey,
        number: index + 1,
        messageId: `${1_700_000_000_000 + index}-message`,
        input: 'Private question',
        images: [],
        promptHash: 'hash',
        status: 'finished',
      })
      .returning();
    const text = { id: 'text', role: 'assistant', content: 'Private answer' } as const;
    const call = { name: 'dataQuery', input: '{}', result: JSON.stringify(result) };
    const frames = result ? [{ id: 'step', role: 'assistant', toolCall: call } as const, text] : [text];
    await db
      .insert(chatMessages)
      .values(frames.map((frame, place) => ({ turnId: turn?.id ?? 0, position: place + 1, frame })));
  }
  return { threadId: stored.id, checksums: results.map(result => (result ? answerChecksum(result) : '')) };
}
