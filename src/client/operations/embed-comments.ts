import * as comments from '../../contract/embed-comments.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** One page of the threads on a dashboard. All of these need the embed token of a tenant's user. */
export const listDashboardComments: Endpoint<typeof comments.listDashboardComments, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.listDashboardComments, 'publicId');

/** Begins a thread, or replies to the one that `parentId` names. */
export const createDashboardComment: Endpoint<typeof comments.createDashboardComment, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.createDashboardComment, 'publicId');

/** One page of those whom a comment may mention. */
export const listMentionableUsers: Endpoint<typeof comments.listMentionableUsers, 'publicId'> =
  /* @__PURE__ */ endpoint(comments.listMentionableUsers, 'publicId');

/** Replaces the body of a comment of one's own. */
export const updateDashboardComment: Endpoint<typeof comments.updateDashboardComment> = /* @__PURE__ */ endpoint(
  comments.updateDashboardComment,
);

/** Removes a comment of one's own, and with the beginning of a thread its replies. */
export const removeDashboardComment: Endpoint<typeof comments.removeDashboardComment> = /* @__PURE__ */ endpoint(
  comments.removeDashboardComment,
);

/** Resolves a thread that one has begun, or opens it again. */
export const setDashboardCommentResolved: Endpoint<typeof comments.setDashboardCommentResolved> =
  /* @__PURE__ */ endpoint(comments.setDashboardCommentResolved);
