import type { PlatformConnection } from '../../client/http/connection.js';
import {
  createDashboardComment,
  listDashboardComments,
  listMentionableUsers,
  readDashboardComments,
  removeDashboardComment,
  setDashboardCommentResolved,
  updateDashboardComment,
} from '../../client/operations/embed-comments.js';
import type { SessionSource } from '../../client/session/session-status.js';
import type { CommentContext } from '../../contract/control-values.js';
import type { DashboardCommentThread, MentionableUser } from '../../contract/embed-comments.js';

/** Which threads are listed. */
export type CommentFilter = 'open' | 'resolved';

/** One page of threads. */
export interface CommentPage {
  readonly threads: readonly DashboardCommentThread[];
  /** Cursor of the next page; `null` for the last one. */
  readonly next: string | null;
  readonly unread: number;
  /** Number of unread comments by tile. */
  readonly unreadTiles: ReadonlyMap<string, number>;
  /** Display names of the users whom the comments mention, by external id. */
  readonly mentioned: ReadonlyMap<string, string>;
  readonly readUpTo: number;
}

/** A comment to write. */
export interface NewComment {
  readonly body: string;
  /** The thread; `null` starts one. */
  readonly parentId: number | null;
  readonly context: CommentContext | null;
}

/** Number of users that the type-ahead offers. */
const maxUsers = 6;

/** Requests of the comments on a dashboard. All reject with PaError. */
export class CommentService {
  readonly #source: SessionSource;
  readonly #publicId: string;

  constructor(source: SessionSource, publicId: string) {
    this.#source = source;
    this.#publicId = publicId;
  }

  /** Returns one page of threads. `first` limits its length. */
  async list(filter: CommentFilter, { first, after }: { first?: number; after?: string | null }): Promise<CommentPage> {
    const page = await this.#call(connection =>
      listDashboardComments(connection, this.#publicId, {
        ...(first !== undefined && { first }),
        ...(after && { after }),
        ...(filter === 'resolved' && { resolvedOnly: true }),
      }),
    );
    const { items, pageInfo, unread, unreadTiles, mentioned, readUpTo } = page;
    return {
      threads: items,
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
      unread: unread ?? 0,
      unreadTiles: new Map(unreadTiles?.map(tile => [tile.widgetId, tile.unread])),
      mentioned: new Map(mentioned?.map(({ username, firstName }) => [username, firstName || username])),
      readUpTo: readUpTo ?? 0,
    };
  }

  async create({ body, parentId, context }: NewComment): Promise<void> {
    await this.#call(connection => {
      // The service of the `cube` dialect rejects unknown fields.
      const hasContext = context !== null && connection.dialect?.name !== 'cube';
      return createDashboardComment(connection, this.#publicId, {
        body,
        ...(parentId !== null && { parentId }),
        ...(hasContext && { context }),
      });
    });
  }

  async update(commentId: number, body: string): Promise<void> {
    await this.#call(connection => updateDashboardComment(connection, this.#path(commentId), { body }));
  }

  async remove(commentId: number): Promise<void> {
    await this.#call(connection => removeDashboardComment(connection, this.#path(commentId)));
  }

  async setResolved(commentId: number, { isResolved }: { readonly isResolved: boolean }): Promise<void> {
    const body = { resolved: isResolved };
    await this.#call(connection => setDashboardCommentResolved(connection, this.#path(commentId), body));
  }

  /** Marks the comments up to this one as read. */
  async read(upTo: number): Promise<void> {
    await this.#call(connection => readDashboardComments(connection, this.#publicId, { upTo }));
  }

  /** Returns users of the tenant whose name contains the search text. */
  async users(search: string): Promise<readonly MentionableUser[]> {
    const { items } = await this.#call(connection =>
      listMentionableUsers(connection, this.#publicId, { first: maxUsers, ...(search && { search }) }),
    );
    return items;
  }

  #call<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    return this.#source.authorize(call);
  }

  #path(commentId: number): { readonly publicId: string; readonly commentId: number } {
    return { publicId: this.#publicId, commentId };
  }
}
