import * as comments from '../../contract/embed-comments.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** One page of the threads on a dashboard. All of these need the embed token of a tenant's user. */
export function listDashboardComments(
  connection: PlatformConnection,
  publicId: string,
  query: QueryOf<typeof comments.listDashboardComments> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof comments.listDashboardComments>> {
  return call(comments.listDashboardComments, connection, { params: { publicId }, query }, options);
}

/** Begins a thread, or replies to the one that `parentId` names. */
export function createDashboardComment(
  connection: PlatformConnection,
  publicId: string,
  body: BodyOf<typeof comments.createDashboardComment>,
  options?: RequestOptions,
): Promise<comments.DashboardComment> {
  return call(comments.createDashboardComment, connection, { params: { publicId }, body }, options);
}

/** One page of those whom a comment may mention. */
export function listMentionableUsers(
  connection: PlatformConnection,
  publicId: string,
  query: QueryOf<typeof comments.listMentionableUsers> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof comments.listMentionableUsers>> {
  return call(comments.listMentionableUsers, connection, { params: { publicId }, query }, options);
}

/** Replaces the body of a comment of one's own. */
export function updateDashboardComment(
  connection: PlatformConnection,
  params: ParamsOf<typeof comments.updateDashboardComment>,
  body: BodyOf<typeof comments.updateDashboardComment>,
  options?: RequestOptions,
): Promise<comments.DashboardComment> {
  return call(comments.updateDashboardComment, connection, { params, body }, options);
}

/** Removes a comment of one's own, and with the beginning of a thread its replies. */
export function removeDashboardComment(
  connection: PlatformConnection,
  params: ParamsOf<typeof comments.removeDashboardComment>,
  options?: RequestOptions,
): Promise<void> {
  return call(comments.removeDashboardComment, connection, { params }, options);
}

/** Resolves a thread that one has begun, or opens it again. */
export function setDashboardCommentResolved(
  connection: PlatformConnection,
  params: ParamsOf<typeof comments.setDashboardCommentResolved>,
  body: BodyOf<typeof comments.setDashboardCommentResolved>,
  options?: RequestOptions,
): Promise<comments.DashboardCommentThread> {
  return call(comments.setDashboardCommentResolved, connection, { params, body }, options);
}
