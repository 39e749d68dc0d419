import * as comments from '../../contract/embed-comments.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/**
 * Lists the comment threads of a dashboard, one page at a time. All functions of this module require the embed token of
 * a tenant's user.
 */
export const listDashboardComments: Endpoint<typeof comments.listDashboardComments, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.listDashboardComments, 'publicId');

/** Marks the comments on a dashboard as read by the caller, up to an id. */
export const readDashboardComments: Endpoint<typeof comments.readDashboardComments, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.readDashboardComments, 'publicId');

/** Starts a thread, or replies to the thread `parentId`. */
export const createDashboardComment: Endpoint<typeof comments.createDashboardComment, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.createDashboardComment, 'publicId');

/** Lists the users that a comment can mention, one page at a time. */
export const listMentionableUsers: Endpoint<typeof comments.listMentionableUsers, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.listMentionableUsers, 'publicId');

/** Replaces the body of one of the caller's comments. */
export const updateDashboardComment: Endpoint<typeof comments.updateDashboardComment> = /* @__PURE__ */ endpoint(
  comments.updateDashboardComment,
);

/** Deletes one of the caller's comments. Deleting the first comment of a thread also deletes its replies. */
export const removeDashboardComment: Endpoint<typeof comments.removeDashboardComment> = /* @__PURE__ */ endpoint(
  comments.removeDashboardComment,
);

/** Resolves or reopens a thread that the caller started. */
export const setDashboardCommentResolved: Endpoint<typeof comments.setDashboardCommentResolved> =
  /* @__PURE__ */ endpoint(comments.setDashboardCommentResolved);
