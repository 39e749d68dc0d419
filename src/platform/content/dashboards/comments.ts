import type { Hono } from 'hono';
import * as contract from '../../../contract/embed-comments.js';
import type { OperationShape } from '../../../contract/operation.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { Call, MountOptions } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import { accountConfig } from '../../settings/account-settings.js';
import { enqueueMentionMails, mentionedNames } from './comment-mentions.js';
import * as comments from './comment-store.js';
import { type DashboardViewer, requireDashboard } from './viewers.js';

/** Maximum number of mentioned users per page of threads whose names are looked up. */
const maxMentioned = 500;

/** Maximum number of replies per thread. Threads are always returned with all their replies. */
const maxReplies = 100;

/** The conversation of a request, and the user who takes part in it. */
interface Commenter extends comments.Conversation {
  readonly publicId: string;
  readonly userId: number;
}

/** Dependencies of routes whose authentication also resolves the dashboard in the path. */
export type ViewerRouteDeps = Pick<RouteDeps, 'db'> & MountOptions<DashboardViewer>;

type ReaderCall<O extends OperationShape> = Call<O, DashboardViewer>;

/** Mounts the routes for comments of embed tenants' users on published dashboards (operations.md, Embed). */
export function mountEmbedComments(app: Hono, reading: ViewerRouteDeps): void {
  const { db } = reading;

  serve(app, contract.listDashboardComments, reading, async ({ principal, query }) => {
    const commenter = await requireCommenter(db, principal);
    const [{ threads, pageInfo }, reading] = await Promise.all([
      comments.listThreads(db, commenter, resolutionOf(query), query),
      comments.readingOf(db, commenter, commenter.userId),
    ]);
    const listed = threads.flatMap(commentsOf);
    const [authors, mentioned] = await Promise.all([
      comments.authorsOf(db, listed),
      comments.findMentioned(db, commenter.embedTenantId, mentionedIn(listed)),
    ]);
    return {
      items: threads.map(thread => showThread(thread, commenter, authors)),
      pageInfo,
      mentioned: mentioned.map(({ username, firstName }) => ({ username, firstName })),
      ...reading,
    };
  });

  serve(app, contract.readDashboardComments, reading, async ({ principal, body }) => {
    const commenter = await requireCommenter(db, principal);
    await comments.markRead(db, commenter, commenter.userId, body.upTo);
    return undefined;
  });

  serve(app, contract.listMentionableUsers, reading, async ({ principal, query }) => {
    const { embedTenantId } = await requireCommenter(db, principal);
    const { items, pageInfo } = await comments.listMentionable(db, embedTenantId, query.search ?? '', query);
    return { items, pageInfo };
  });

  serve(app, contract.createDashboardComment, reading, call =>
    writeComment(db, contract.createDashboardComment, call, async (tx, commenter, target) => {
      const { body, parentId = null, context = null } = call.body;
      if (parentId !== null) await requireThread(tx, commenter, parentId);
      const { dashboardId, embedTenantId, userId } = commenter;
      const created = await comments.insertComment(tx, {
        dashboardId,
        embedTenantId,
        userId,
        parentId,
        body,
        context,
      });
      target.commentId = created.id;
      await enqueueMentionMails(tx, created);
      return showComment(created, commenter, await comments.authorsOf(tx, [created]));
    }),
  );

  mountOwnComments(app, reading);
}

/** Mounts the routes that only the author of a comment can use. */
function mountOwnComments(app: Hono, reading: ViewerRouteDeps): void {
  const { db } = reading;

  serve(app, contract.updateDashboardComment, reading, call =>
    writeComment(db, contract.updateDashboardComment, call, async (tx, commenter) => {
      const comment = await requireComment(tx, commenter, call.params.commentId);
      requireAuthor(comment, commenter, 'change');
      if (comment.removedAt !== null) throw notFound('Comment');
      const { body } = call.body;
      const changed = body === comment.body ? comment : await comments.changeBody(tx, comment.id, body);
      return showComment(changed, commenter, await comments.authorsOf(tx, [changed]));
    }),
  );

  serve(app, contract.removeDashboardComment, reading, call =>
    writeComment(db, contract.removeDashboardComment, call, async (tx, commenter) => {
      const comment = await requireComment(tx, commenter, call.params.commentId);
      requireAuthor(comment, commenter, 'remove');
      await comments.removeThread(tx, comment.id);
      return undefined;
    }),
  );

  serve(app, contract.setDashboardCommentResolved, reading, call =>
    writeComment(db, contract.setDashboardCommentResolved, call, async (tx, commenter) => {
      const root = await requireComment(tx, commenter, call.params.commentId);
      if (root.parentId !== null)
        throw new PlatformError(400, 'path.commentId: is a reply; only threads can be resolved');
      requireAuthor(root, commenter, 'resolve');
      const thread = await comments.threadOf(tx, root);
      if (root.removedAt !== null && thread.replies.every(({ removedAt }) => removedAt !== null))
        throw notFound('Comment');
      const isResolved = root.resolvedAt !== null;
      const authors = await comments.authorsOf(tx, commentsOf(thread));
      if (isResolved === call.body.resolved) return showThread(thread, commenter, authors);
      const changed = await comments.setResolved(tx, root.id, isResolved ? null : commenter.userId);
      return showThread({ ...thread, root: changed }, commenter, authors);
    }),
  );
}

/** Runs a write with its audit entry in a transaction. Check the caller's access first. */
async function writeComment<O extends OperationShape, T>(
  db: Db,
  operation: O,
  {
    principal: reader,
    request,
    params,
  }: Pick<ReaderCall<typeof contract.createDashboardComment>, 'principal' | 'request' | 'params'>,
  work: (tx: Db, commenter: Commenter, target: JsonObject) => Promise<T>,
): Promise<T> {
  const commenter = await requireCommenter(db, reader);
  const target: JsonObject = { ...params };
  const writer = { principal: reader.principal, request, target };
  return transact(db, operation.id, writer, tx => work(tx, commenter, target));
}

/**
 * Returns the conversation and the user of a request.
 * @throws PlatformError 403 if the caller is not a user of an embed tenant, or if comments or embedding are disabled;
 * 404
 */
async function requireCommenter(db: Db, reader: DashboardViewer): Promise<Commenter> {
  const { principal, isTenantUser } = reader;
  if (principal.kind !== 'embed' || !isTenantUser) {
    throw new PlatformError(403, 'Comments require an embed session of a user of an embed tenant.');
  }
  const { embedding } = await accountConfig(db);
  if (embedding.enableDashboardComments !== true) {
    throw new PlatformError(
      403,
      'Comments on dashboards are disabled. Enable them with PUT /api/v1/app-config {"embedding": {"enableDashboardComments": true}}',
    );
  }
  const { id, publicId } = requireDashboard(reader);
  return { dashboardId: id, publicId, embedTenantId: principal.embedTenantId, userId: principal.userId };
}

async function requireThread(tx: Db, commenter: Commenter, parentId: number): Promise<void> {
  const parent = await requireComment(tx, commenter, parentId);
  if (parent.removedAt !== null) throw notFound('Comment');
  if (parent.parentId !== null) {
    throw new PlatformError(400, 'body.parentId: is a reply; send the id of the first comment of the thread');
  }
  if ((await comments.countReplies(tx, parentId)) < maxReplies) return;
  throw new PlatformError(409, `A thread can have at most ${maxReplies} replies. Start another thread.`);
}

async function requireComment(tx: Db, commenter: Commenter, commentId: number): Promise<comments.StoredComment> {
  const found = await comments.lockComment(tx, commenter, commentId);
  if (!found) throw notFound('Comment');
  return found;
}

function requireAuthor(comment: comments.StoredComment, { userId }: Commenter, what: string): void {
  if (comment.userId !== userId) throw new PlatformError(403, `Only the author may ${what} a comment.`);
}

type Authors = ReadonlyMap<number, comments.AuthorRow>;

function showComment(
  comment: comments.StoredComment,
  { publicId, userId }: Commenter,
  authors: Authors,
): contract.DashboardComment {
  return {
    id: comment.id,
    dashboardId: publicId,
    userId: comment.userId,
    body: comment.body,
    createdAt: comment.createdAt.toISOString(),
    editedAt: comment.editedAt?.toISOString() ?? null,
    removedAt: comment.removedAt?.toISOString() ?? null,
    isOwn: comment.userId === userId,
    author: authorOf(comment.userId, authors),
    context: comment.context,
  };
}

function authorOf(userId: number, authors: Authors): contract.DashboardComment['author'] {
  const author = authors.get(userId);
  return author ? { ...author } : null;
}

function showThread(
  { root, replies }: comments.StoredThread,
  commenter: Commenter,
  authors: Authors,
): contract.DashboardCommentThread {
  return {
    root: showComment(root, commenter, authors),
    replies: replies.map(each => showComment(each, commenter, authors)),
    resolvedAt: root.resolvedAt?.toISOString() ?? null,
    resolvedBy: root.resolvedBy,
  };
}

function commentsOf({ root, replies }: comments.StoredThread): readonly comments.StoredComment[] {
  return [root, ...replies];
}

/** Returns the external ids of the users that comments mention. */
function mentionedIn(listed: readonly comments.StoredComment[]): readonly string[] {
  return [...new Set(listed.flatMap(({ body }) => mentionedNames(body)))].slice(0, maxMentioned);
}

function resolutionOf(query: {
  readonly resolvedOnly?: boolean | null | undefined;
  readonly includeResolved?: boolean | null | undefined;
}): 'resolved' | 'any' | 'open' {
  if (query.resolvedOnly) return 'resolved';
  return query.includeResolved ? 'any' : 'open';
}
