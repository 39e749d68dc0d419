import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { DashboardComment, DashboardCommentThread, MentionableUser } from '../../contract/embed-comments.js';
import { type Problem, ProblemKind, toProblem } from '../problem.js';
import { CommentDrafts } from './comment-drafts.js';
import { type CommentFilter, type CommentPage, CommentService, type NewComment } from './comment-service.js';
import { Poller } from './poller.js';

/** Current state of the comments on a dashboard. A new object after each change. */
export interface CommentsView {
  /** Number of comments of other users that the viewer has not read. */
  readonly unread: number;
  /** Number of unread comments by tile. */
  readonly unreadTiles: ReadonlyMap<string, number>;
  /** Display names of the users whom the comments mention, by external id. */
  readonly mentioned: ReadonlyMap<string, string>;
  /** Threads of the open panel, newest first; `null` until they are loaded. */
  readonly threads: readonly DashboardCommentThread[] | null;
  readonly filter: CommentFilter;
  readonly hasMore: boolean;
  /** Comments after this id were new when the panel was opened. */
  readonly readUpTo: number;
  /** Reason why the threads could not be loaded. */
  readonly problem: Problem | null;
}

/** Options of a comments controller. */
export interface CommentsOptions {
  readonly source: () => SessionSource | null;
  readonly publicId: () => string;
  /** Called with the number of comments of other users that appear while the panel is open. */
  readonly onNew: (count: number) => void;
}

const start: CommentsView = {
  unread: 0,
  unreadTiles: new Map(),
  mentioned: new Map(),
  threads: null,
  filter: 'open',
  hasMore: false,
  readUpTo: 0,
  problem: null,
};

/** Pauses between polls: while the panel is open, and while only the number of unread comments is shown, in ms. */
const pauses = { open: { min: 8_000, max: 60_000 }, closed: { min: 30_000, max: 300_000 } } as const;
const pageSize = 50;
const one = { first: 1 };
/** Maximum number of pages that are searched for a linked comment. */
const maxSearchedPages = 5;

/**
 * The comments on a dashboard. Polls while the page is visible. Loads all threads again while the panel is open,
 * otherwise only the number of unread comments. Does nothing if the session may not comment.
 */
export class CommentsController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: CommentsOptions;
  readonly #poller = new Poller(
    () => this.#poll(),
    () => (this.#isOpen ? pauses.open : pauses.closed),
  );
  /** Unsent comments. They remain when the panel is closed, until the user or dashboard changes. */
  readonly drafts = new CommentDrafts();
  #view = start;
  #isOpen = false;
  #access: 'unknown' | 'allowed' | 'denied' = 'unknown';
  #service: CommentService | null = null;
  #source: SessionSource | null = null;
  #publicId = '';
  #unfollow: (() => void) | null = null;
  /** The session and dashboard of the drafts. */
  #draftsOf: readonly unknown[] = [];
  /** Increases with each change; a response to an earlier request is dropped. */
  #version = 0;
  /** Number of pages that the panel shows. */
  #pages = 1;

  constructor(host: ReactiveControllerHost, options: CommentsOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get view(): CommentsView {
    return this.#view;
  }

  /** Whether the session may comment; `unknown` until the first response. */
  get access(): 'unknown' | 'allowed' | 'denied' {
    return this.#access;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  hostUpdate(): void {
    const [source, publicId] = [this.#options.source(), this.#options.publicId()];
    if (source === this.#source && publicId === this.#publicId) return;
    this.#unfollow?.();
    this.#source = source;
    this.#publicId = publicId;
    const draftsOf = [source, source?.identity, publicId];
    if (draftsOf.some((value, index) => value !== this.#draftsOf[index])) this.drafts.clear();
    this.#draftsOf = draftsOf;
    this.#reset();
    this.#unfollow =
      source?.subscribe(({ type }) => {
        if (type === 'identity') this.#forget();
        if (type === 'wake') void this.#poller.now();
      }) ?? null;
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    this.#source = null;
    this.#reset();
  }

  /** Shows the threads of the panel. */
  open(filter: CommentFilter = this.#view.filter): void {
    if (this.#isOpen && filter === this.#view.filter) return;
    this.#isOpen = true;
    this.#pages = 1;
    this.#set({ filter, threads: null, hasMore: false, problem: null });
    void this.refresh();
  }

  close(): void {
    this.#isOpen = false;
    this.#set({ threads: null, problem: null });
  }

  /** Reloads the threads. Returns the reason of a failure; `null` on success. */
  async refresh(): Promise<Problem | null> {
    this.#version += 1;
    const problem = await this.#load();
    this.#poller.hurry();
    return problem;
  }

  /** Loads one more page of threads. */
  async more(): Promise<Problem | null> {
    this.#pages += 1;
    const problem = await this.refresh();
    if (problem) this.#pages -= 1;
    return problem;
  }

  /** Writes a comment. Returns the reason of a failure; `null` on success. */
  write(comment: NewComment): Promise<Problem | null> {
    return this.#change(service => service.create(comment));
  }

  edit(commentId: number, body: string): Promise<Problem | null> {
    return this.#change(service => service.update(commentId, body));
  }

  remove(commentId: number): Promise<Problem | null> {
    return this.#change(service => service.remove(commentId));
  }

  setResolved(commentId: number, options: { readonly isResolved: boolean }): Promise<Problem | null> {
    return this.#change(service => service.setResolved(commentId, options));
  }

  /** Returns users that a comment can mention; none if they cannot be loaded. */
  async users(search: string): Promise<readonly MentionableUser[]> {
    try {
      return (await this.#service?.users(search)) ?? [];
    } catch {
      // If the users cannot be loaded, there are no suggestions.
      return [];
    }
  }

  /** Opens the panel with the thread that contains a comment. Returns the thread; `null` if there is none. */
  async openThread(commentId: number): Promise<DashboardCommentThread | null> {
    const service = this.#service;
    for (const filter of ['open', 'resolved'] as const) {
      const { threads } = service ? await listPages(service, filter, maxSearchedPages) : { threads: [] };
      const index = threads.findIndex(thread => commentsOf(thread).some(({ id }) => id === commentId));
      const found = threads[index];
      if (!found || service !== this.#service) continue;
      this.#isOpen = true;
      this.#pages = Math.floor(index / pageSize) + 1;
      this.#set({ filter, threads, problem: null });
      await this.refresh();
      return found;
    }
    return null;
  }

  /** Drops everything of the previous user. */
  #forget(): void {
    this.drafts.clear();
    this.#reset();
  }

  #reset(): void {
    this.#version += 1;
    this.#poller.stop();
    this.#isOpen = false;
    this.#access = 'unknown';
    this.#service = this.#source && this.#publicId ? new CommentService(this.#source, this.#publicId) : null;
    this.#set(start);
    if (this.#service) this.#poller.start();
  }

  async #poll(): Promise<'changed' | 'same' | 'failed'> {
    if (this.#access === 'denied') {
      this.#poller.stop();
      return 'same';
    }
    const before = JSON.stringify([this.#view.threads, this.#view.unread]);
    if (await this.#load()) return 'failed';
    return JSON.stringify([this.#view.threads, this.#view.unread]) === before ? 'same' : 'changed';
  }

  /**
   * Loads the threads of the panel, or only the number of unread comments. Returns the reason of a failure; `null` on
   * success.
   */
  async #load(): Promise<Problem | null> {
    const [service, version, isOpen] = [this.#service, this.#version, this.#isOpen];
    if (!service) return null;
    const isCurrent = () => version === this.#version && service === this.#service;
    try {
      const page = isOpen ? await listPages(service, this.#view.filter, this.#pages) : await service.list('open', one);
      if (!isCurrent()) return null;
      this.#access = 'allowed';
      if (isOpen) this.#show(page, service);
      else this.#set({ unread: page.unread, unreadTiles: page.unreadTiles, readUpTo: page.readUpTo });
      return null;
    } catch (error) {
      const problem = toProblem(error);
      if (!isCurrent()) return problem;
      if (problem.kind === ProblemKind.denied) this.#access = 'denied';
      this.#set({ problem: isOpen && this.#view.threads === null ? problem : null });
      return problem;
    }
  }

  #show(page: CommentPage, service: CommentService): void {
    const { threads, next, unread, mentioned, readUpTo } = page;
    const before = this.#view.threads;
    const { total, byTile } = unreadElsewhere(page);
    this.#set({
      threads,
      mentioned,
      hasMore: next !== null,
      unread: total,
      unreadTiles: byTile,
      problem: null,
      ...(before === null && { readUpTo }),
    });
    const known = new Set(before?.flatMap(commentsOf).map(({ id }) => id));
    const added = threads.flatMap(commentsOf).filter(comment => !known.has(comment.id) && isForeign(comment));
    if (before && added.length > 0) this.#options.onNew(added.length);
    const last = Math.max(0, ...threads.flatMap(commentsOf).map(({ id }) => id));
    if (last > readUpTo && unread > 0 && total === 0) void this.#markRead(service, last);
  }

  async #markRead(service: CommentService, upTo: number): Promise<void> {
    try {
      await service.read(upTo);
    } catch {
      // Ignore the error. The next poll retries.
    }
  }

  async #change(change: (service: CommentService) => Promise<void>): Promise<Problem | null> {
    const problem = await this.#act(change);
    await this.refresh();
    return problem;
  }

  async #act(action: (service: CommentService) => Promise<void>): Promise<Problem | null> {
    const service = this.#service;
    if (!service) return null;
    try {
      await action(service);
      return null;
    } catch (error) {
      return toProblem(error);
    }
  }

  #set(view: Partial<CommentsView>): void {
    this.#view = { ...this.#view, ...view };
    this.#host.requestUpdate();
  }
}

/** Returns the comments of a thread, oldest first. */
export function commentsOf({ root, replies }: DashboardCommentThread): readonly DashboardComment[] {
  return [root, ...replies];
}

/** Returns the unread comments of threads that are not loaded, or not open. Those of the loaded threads are read. */
function unreadElsewhere({ threads, unread, unreadTiles, readUpTo }: CommentPage): {
  readonly total: number;
  readonly byTile: ReadonlyMap<string, number>;
} {
  let total = unread;
  const byTile = new Map(unreadTiles);
  for (const thread of threads.filter(({ resolvedAt }) => !resolvedAt)) {
    const seen = commentsOf(thread).filter(comment => comment.id > readUpTo && isForeign(comment)).length;
    const widgetId = thread.root.context?.widgetId ?? '';
    total -= seen;
    byTile.set(widgetId, (byTile.get(widgetId) ?? 0) - seen);
  }
  return { total: Math.max(0, total), byTile: new Map([...byTile].filter(([, count]) => count > 0)) };
}

function isForeign({ isOwn, removedAt }: DashboardComment): boolean {
  return !isOwn && !removedAt;
}

/** Loads the first pages of threads. A thread that moves to another page in the meantime is listed once. */
async function listPages(service: CommentService, filter: CommentFilter, pages: number): Promise<CommentPage> {
  let page = await service.list(filter, { first: pageSize });
  const threads = [...page.threads];
  const mentioned = new Map(page.mentioned);
  for (let count = 1; count < pages && page.next !== null; count += 1) {
    page = await service.list(filter, { first: pageSize, after: page.next });
    threads.push(...page.threads);
    for (const [username, name] of page.mentioned) mentioned.set(username, name);
  }
  return { ...page, mentioned, threads: [...new Map(threads.map(thread => [thread.root.id, thread])).values()] };
}
