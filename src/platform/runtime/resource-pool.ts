/** Limits and functions of a pool. */
export interface ResourcePoolOptions<K, T> {
  /** Maximum number of open resources. */
  readonly maxOpen: number;
  /** Limits the open resources of each group, so that no group can occupy the pool. */
  readonly groups?: { readonly maxOpen: number; readonly groupOf: (key: K) => string };
  /** Returns the text that identifies a key. */
  readonly nameOf: (key: K) => string;
  readonly open: (key: K) => Promise<T>;
  readonly close: (resource: T) => Promise<void>;
  /** Creates the error for a resource that cannot be opened because all open resources are in use. */
  readonly busy: () => Error;
}

interface Entry<T> {
  readonly resource: Promise<T>;
  readonly group: string | undefined;
  users: number;
  /** Set when the entry was removed from the pool; it is closed when its last user releases it. */
  isRemoved: boolean;
  closed: Promise<void> | null;
}

/**
 * Opens resources on first use, and keeps them open for later uses. If the maximum is reached, closes the one that was
 * not used for the longest time. Concurrent callers share an opening. A resource in use is never closed.
 */
export class ResourcePool<K, T> {
  readonly #options: ResourcePoolOptions<K, T>;
  /** Entries by name, least recently used first. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: ResourcePoolOptions<K, T>) {
    this.#options = options;
  }

  /** Number of resources that are open or being opened. */
  get size(): number {
    return this.#entries.size;
  }

  /** True if the resource is open or being opened. */
  isOpen(key: K): boolean {
    return this.#entries.has(this.#options.nameOf(key));
  }

  /**
   * Opens a resource, or takes the open one. The caller must call `release` exactly once.
   * @throws the error of `open`, or `busy` if all resources are in use.
   */
  async acquire(key: K): Promise<{ readonly resource: T; readonly release: () => void }> {
    const name = this.#options.nameOf(key);
    const entry = this.#entries.get(name) ?? this.#makeEntry(key);
    // Move the entry to the end of the order.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    entry.users += 1;
    try {
      return { resource: await entry.resource, release: () => this.#release(entry) };
    } catch (error) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
      throw error;
    }
  }

  /** Removes the resources whose name matches. Those in use are closed when their last user releases them. */
  async remove(matches: (name: string) => boolean): Promise<void> {
    const removed: Promise<void>[] = [];
    for (const [name, entry] of [...this.#entries]) if (matches(name)) removed.push(this.#remove(name, entry));
    await Promise.all(removed);
  }

  /** Closes all resources, even those in use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of this.#entries.values()) entry.users = 0;
    await this.remove(() => true);
    await Promise.all(this.#closing);
  }

  #makeEntry(key: K): Entry<T> {
    if (this.#isClosed) throw this.#options.busy();
    const { groups, maxOpen } = this.#options;
    const group = groups?.groupOf(key);
    const members = groups ? [...this.#entries].filter(([, entry]) => entry.group === group) : [];
    if (groups && members.length >= groups.maxOpen) this.#removeIdle(members);
    if (this.#entries.size >= maxOpen) this.#removeIdle([...this.#entries]);
    const resource = this.#options.open(key);
    // Callers receive the error from `acquire`.
    resource.catch(() => undefined);
    return { resource, group, users: 0, isRemoved: false, closed: null };
  }

  /** Removes the least recently used entry that is not in use. @throws the error of `busy` if all are in use. */
  #removeIdle(entries: readonly [name: string, entry: Entry<T>][]): void {
    const idle = entries.find(([, { users }]) => users === 0);
    if (!idle) throw this.#options.busy();
    void this.#remove(...idle);
  }

  #release(entry: Entry<T>): void {
    entry.users = Math.max(0, entry.users - 1);
    if (entry.isRemoved && entry.users === 0) void this.#close(entry);
  }

  async #remove(name: string, entry: Entry<T>): Promise<void> {
    this.#entries.delete(name);
    entry.isRemoved = true;
    if (entry.users === 0) await this.#close(entry);
  }

  #close(entry: Entry<T>): Promise<void> {
    // A resource that could not be opened needs no cleanup, and a failed cleanup must not stop the others.
    entry.closed ??= entry.resource.then(this.#options.close).catch(() => undefined);
    const { closed } = entry;
    this.#closing.add(closed);
    void closed.finally(() => this.#closing.delete(closed));
    return closed;
  }
}
