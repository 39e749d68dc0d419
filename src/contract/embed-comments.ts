import * as z from 'zod/mini';
import { CommentContext } from './control-values.js';
import { operation } from './operation.js';
import { Flag, IdParam, optional, PageInfo, PageQuery, PublicId } from './wire.js';

/** A comment on a published dashboard. The body of a deleted comment is empty. */
export const DashboardComment = z.looseObject({
  id: z.int(),
  /** The dashboard's `publicId`. */
  dashboardId: z.string(),
  userId: optional(z.int()),
  body: z.string(),
  createdAt: z.string(),
  editedAt: optional(z.string()),
  removedAt: optional(z.string()),
  /** Whether the caller wrote the comment. */
  isOwn: z.boolean(),
  /** The author. `null` for services that do not return it. */
  author: optional(z.looseObject({ username: z.string(), firstName: optional(z.string()) })),
  /** The tile and the control values that the comment refers to. Only the client validates them. */
  context: optional(z.looseObject({ widgetId: optional(z.string()), state: optional(z.looseObject({})) })),
});
/** A comment on a published dashboard. The body of a deleted comment is empty. */
export type DashboardComment = z.infer<typeof DashboardComment>;

/** A comment and its replies, oldest first. */
export const DashboardCommentThread = z.looseObject({
  root: DashboardComment,
  replies: z.array(DashboardComment),
  resolvedAt: optional(z.string()),
  resolvedBy: optional(z.int()),
});
/** A comment and its replies, oldest first. */
export type DashboardCommentThread = z.infer<typeof DashboardCommentThread>;

/** A user that a comment can mention. */
export const MentionableUser = z.looseObject({
  id: z.int(),
  /** External id of the user, as set by the host. */
  username: z.string(),
  email: optional(z.string()),
  firstName: optional(z.string()),
});
/** A user that a comment can mention. */
export type MentionableUser = z.infer<typeof MentionableUser>;

const Body = z.string().check(z.minLength(1), z.maxLength(10_000));

const OfDashboard = z.strictObject({ publicId: PublicId });
const OfComment = z.strictObject({ publicId: PublicId, commentId: IdParam });

const refusals = {
  403: 'The caller has no session of an embed tenant, or comments or embedding are disabled.',
  404: 'The dashboard or comment does not exist, or is not visible to the caller.',
} as const;
const refusalsOfOthers = {
  ...refusals,
  403: `${refusals[403]} Also returned if the comment belongs to another user.`,
} as const;

/**
 * Lists the comment threads of the caller's embed tenant on a dashboard, newest first. `includeResolved` includes
 * resolved threads; `resolvedOnly` returns only resolved threads and takes precedence. A deleted reply remains in the
 * list with an empty body and `removedAt`, as does a deleted first comment that has replies. A page has at most 50
 * threads.
 */
export const listDashboardComments = operation({
  id: 'listDashboardComments',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}/comments',
  access: 'authenticated',
  params: OfDashboard,
  query: z.extend(PageQuery, { includeResolved: optional(Flag), resolvedOnly: optional(Flag) }),
  response: z.looseObject({
    items: z.array(DashboardCommentThread),
    pageInfo: PageInfo,
    /** Number of comments of other users in open threads that the caller has not read. */
    unread: optional(z.int()),
    /** The tiles with unread comments. Comments on the whole dashboard count only in `unread`. */
    unreadTiles: optional(z.array(z.looseObject({ widgetId: z.string(), unread: z.int() }))),
    /** The users whom the comments of this page mention. */
    mentioned: optional(z.array(z.looseObject({ username: z.string(), firstName: optional(z.string()) }))),
    /** Id of the last comment that the caller has read; 0 if none. */
    readUpTo: optional(z.int()),
  }),
  errors: refusals,
});

/**
 * Marks the comments on a dashboard as read by the caller, up to an id. An id that is lower than the stored one changes
 * nothing.
 */
export const readDashboardComments = operation({
  id: 'readDashboardComments',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/embed/dashboard/{publicId}/comments/read',
  access: 'authenticated',
  params: OfDashboard,
  body: z.strictObject({ upTo: z.int().check(z.positive()) }),
  response: null,
  errors: refusals,
});

/**
 * Starts a thread, or replies to one (`parentId`); replies cannot have replies. The author is the session's user.
 * `@[username]` in the body mentions a user. `context` is the tile and the control values that the thread refers to.
 */
export const createDashboardComment = operation({
  id: 'createDashboardComment',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/comments',
  access: 'authenticated',
  params: OfDashboard,
  body: z.strictObject({
    body: Body,
    parentId: optional(z.int().check(z.positive())),
    context: optional(CommentContext),
  }),
  response: DashboardComment,
  errors: { ...refusals, 409: 'The thread has reached its limit of replies.' },
});

/**
 * Lists the embed users of the caller's tenant that a comment can mention, by username. `search` matches part of the
 * username, email or display name, ignoring case.
 */
export const listMentionableUsers = operation({
  id: 'listMentionableEmbedUsers',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}/comments/mentionable-users',
  access: 'authenticated',
  params: OfDashboard,
  query: z.extend(PageQuery, { search: optional(z.string().check(z.maxLength(255))) }),
  response: z.looseObject({ items: z.array(MentionableUser), pageInfo: PageInfo }),
  errors: refusals,
});

/**
 * Deletes one of the caller's comments. Deleting the first comment of a thread also deletes its replies. Idempotent.
 */
export const removeDashboardComment = operation({
  id: 'removeDashboardComment',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/embed/dashboard/{publicId}/comments/{commentId}',
  access: 'authenticated',
  params: OfComment,
  response: null,
  errors: refusalsOfOthers,
});

/** Replaces the body of one of the caller's comments. If the body is unchanged, `editedAt` is unchanged too. */
export const updateDashboardComment = operation({
  id: 'updateDashboardComment',
  api: 'platform',
  method: 'PATCH',
  path: '/api/v1/embed/dashboard/{publicId}/comments/{commentId}',
  access: 'authenticated',
  params: OfComment,
  body: z.strictObject({ body: Body }),
  response: DashboardComment,
  errors: refusalsOfOthers,
});

/**
 * Resolves or reopens a thread that the caller started; returns 400 for a reply. Also works if the first comment was
 * deleted and has replies.
 */
export const setDashboardCommentResolved = operation({
  id: 'setDashboardCommentResolved',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/comments/{commentId}/resolve',
  access: 'authenticated',
  params: OfComment,
  body: z.strictObject({ resolved: z.boolean() }),
  response: DashboardCommentThread,
  errors: refusalsOfOthers,
});
