import { createHash } from 'node:crypto';
import { editableText } from '../../report/comments/comment-text.js';
import { mentionedNames } from '../content/dashboards/comment-mentions.js';
import { authorsOf, findComment, findMentioned } from '../content/dashboards/comment-store.js';
import { findViewerDashboard } from '../content/dashboards/viewer-dashboards.js';
import type { Db } from '../db/database.js';
import type { JobHandler } from '../jobs/job-queue.js';
import { accountConfig } from '../settings/account-settings.js';
import type { DeliveryEvent } from './deliver-run.js';
import { composeMention } from './mail/compose-mail.js';
import { mailboxOf } from './mail/mail-options.js';
import type { MailSender, OutgoingMail } from './mail/mail-sender.js';
import { findDashboardRef } from './notification-store.js';

/** Dependencies of the handler that mails mentions. */
interface MentionDeps {
  readonly db: Db;
  readonly sender: MailSender;
  readonly onEvent?: (event: DeliveryEvent) => void;
}

/**
 * Creates the handler of the jobs that mail a mention to one user. A job has no effect if the comment no longer
 * mentions the user, or if the user cannot receive messages or read the dashboard.
 */
export function mentionHandler({ db, sender, onEvent }: MentionDeps): JobHandler {
  return {
    async run({ commentId, userId }) {
      const mail = sender.canSend ? await mailOf(db, Number(commentId), Number(userId)) : null;
      if (!mail) return;
      const result = await sender.send(mail);
      if (result.kind === 'accepted') onEvent?.('sent');
      else if (result.kind === 'rejected') onEvent?.('dead');
      else throw new Error(result.problem);
    },
    // The queue has reported the failures. The comment remains unread for the user.
    failPermanently: async () => onEvent?.('dead'),
  };
}

/** Returns the message to a mentioned user; `null` if there is nothing to send. */
async function mailOf(db: Db, commentId: number, userId: number): Promise<OutgoingMail | null> {
  const comment = await findComment(db, commentId);
  if (!comment || comment.removedAt !== null) return null;
  const { embedTenantId, dashboardId, body } = comment;
  const mentioned = await findMentioned(db, embedTenantId, mentionedNames(body));
  const recipient = mentioned.find(({ id }) => id === userId);
  const to = recipient ? mailboxOf({ email: recipient.email, externalId: recipient.username }) : null;
  const [ref, { embedding }] = await Promise.all([findDashboardRef(db, dashboardId), accountConfig(db)]);
  if (to === null || !ref || embedding.enableDashboardComments !== true) return null;
  const { publicId, title, deploymentId } = ref;
  if (!(await findViewerDashboard(db, { deploymentId, userId, embedTenantId }, publicId))) return null;
  const author = (await authorsOf(db, [comment])).get(comment.userId);
  const names = new Map(mentioned.map(({ username, firstName }) => [username, firstName ?? username]));
  const content = composeMention({
    title,
    author: author?.firstName || author?.username || '',
    comment: editableText(body, username => names.get(username) ?? username),
    createdAt: comment.createdAt,
    locale: embedding.locale ?? 'en',
  });
  return { ...content, to, messageId: messageIdOf(commentId, userId, comment.createdAt), unsubscribeUrl: null };
}

/** Returns the local part of a message id, which is the same for all attempts. */
function messageIdOf(commentId: number, userId: number, createdAt: Date): string {
  const key = JSON.stringify(['mention', commentId, userId, createdAt.toISOString()]);
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
