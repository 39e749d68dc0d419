import { commentParts } from '../../../report/comments/comment-text.js';
import type { Db } from '../../db/database.js';
import { enqueueJob } from '../../jobs/job-store.js';
import { findMentioned, type StoredComment } from './comment-store.js';

/** Kind of the jobs that mail a mention to one user. */
export const mentionMailKind = 'mention-mail';

/** Maximum number of users to whom the mentions of one comment are mailed. */
const maxMentionMails = 20;

/** Enqueues a message to each user whom a new comment mentions, except its author. */
export async function enqueueMentionMails(tx: Db, comment: StoredComment): Promise<void> {
  const { id: commentId, embedTenantId, userId: author, body } = comment;
  const mentioned = await findMentioned(tx, embedTenantId, mentionedNames(body));
  const recipients = mentioned.filter(({ id }) => id !== author).slice(0, maxMentionMails);
  for (const { id: userId } of recipients) await enqueueJob(tx, mentionMailKind, { commentId, userId });
}

/** Returns the external ids of the users that the body of a comment mentions. */
export function mentionedNames(body: string): readonly string[] {
  return [...new Set(commentParts(body).flatMap(part => (part.type === 'mention' ? [part.username] : [])))];
}
