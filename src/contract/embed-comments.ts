import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, optional, PageInfo, PageQuery, PublicId } from './wire.js';

/** A comment on a published dashboard. The body is empty once it was removed. */
export const DashboardComment = z.looseObject({
  id: z.int(),
  /** The dashboard's `publicId`. */
  dashboardId: z.string(),
  userId: optional(z.int()),
  body: z.string(),
  createdAt: z.string(),
  editedAt: optional(z.string()),
  removedAt: optional(z.string()),
  /** Whether the caller wrote it. */
  isOwn: z.boolean(),
});
/** A comment on a published dashboard. The body is empty once it was removed. */
export type DashboardComment = z.infer<typeof DashboardComment>;

/** A comment and the replies to it, oldest first. */
export const DashboardCommentThread = z.looseObject({
  root: DashboardComment,
  replies: z.array(DashboardComment),
  resolvedAt: optional(z.string()),
  resolvedBy: optional(z.int()),
});
/** A comment and the replies to it, oldest first. */
export type DashboardCommentThread = z.infer<typeof DashboardCommentThread>;

/** Somebody whom a comment may mention. */
export const MentionableUser = z.looseObject({
  id: z.int(),
  /** The external id, by which the host knows the user. */
  username: z.string(),
  email: optional(z.string()),
  firstName: optional(z.string()),
});
/** Somebody whom a comment may mention. */
export type MentionableUser = z.infer<typeof MentionableUser>;

const Body = z.string().check(z.minLength(1), z.maxLength(10_000));

/** True or false in a query. */
const Flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])]),
  z.transform(value => value === true || value === 'true'),
);

const OfDashboard = z.strictObject({ publicId: PublicId });
const OfComment = z.strictObject({ publicId: PublicId, commentId: IdParam });

const refusals = {
  403: 'not a session of an embed tenant, comments are switched off, or embedding is',
  404: 'no such dashboard or comment for the caller',
} as const;
const refusalsOfOthers = { ...refusals, 403: `${refusals[403]}; or it is somebody else's` } as const;

/**
 * Threads of the caller's embed tenant on a dashboard, those begun last first; open ones alone unless asked otherwise
 * (`resolvedOnly` outweighs `includeResolved`). A reply that was removed keeps its place, with an empty body and `removedAt`; so does
 * the beginning of a thread while a reply is left. A page holds 50 threads at most.
 */
export const listDashboardComments = operation({
  id: 'listDashboardComments',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}/comments',
  access: 'authenticated',
  params: OfDashboard,
  query: z.extend(PageQuery, { includeResolved: optional(Flag), resolvedOnly: optional(Flag) }),
  response: z.looseObject({ items: z.array(DashboardCommentThread), pageInfo: PageInfo }),
  errors: refusals,
});

/** Begins a thread, or replies to one (`parentId`); replies have none themselves. The author is the session's user. */
export const createDashboardComment = operation({
  id: 'createDashboardComment',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/comments',
  access: 'authenticated',
  params: OfDashboard,
  body: z.strictObject({ body: Body, parentId: optional(z.int().check(z.positive())) }),
  response: DashboardComment,
  errors: { ...refusals, 409: 'the thread has all the replies that it may have' },
});

/** Embed users of the caller's tenant by username, for mentions; `search` looks for a part of username or email, whatever the case. */
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

/** Removes a comment of the caller's; with the beginning of a thread go the replies. Once more changes nothing. */
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

/** Replaces the body of a comment of the caller's; the same body again changes nothing, `editedAt` included. */
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
 * Resolves a thread that the caller began, or opens it again; of a reply it is 400. The beginning may have been removed while replies
 * are left.
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
