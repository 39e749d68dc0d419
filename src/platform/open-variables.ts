import type { ModelVariables, VariableSource } from './data/model/variables.js';
import type { Database } from './db/database.js';
import type { ChannelListener } from './db/listen.js';
import { type ServedVariable, variablesChannel } from './db/variable-changes.js';
import { BoundedCache } from './runtime/bounded-cache.js';

const renewalMs = 60_000;

/** Readers of the variables and tokens of the served deployment. */
interface VariableReaders {
  readonly readVariables: () => Promise<readonly ServedVariable[]>;
  readonly readTokens: () => Promise<readonly ServedVariable[]>;
}

/**
 * Opens the environment variables of the served deployment, and the tokens that the URL of its data source can contain.
 * They are updated after changes by any platform on the database, and every minute, because tokens expire.
 * @param readVariables - returns the variables.
 * @param readTokens - returns current tokens as variables. A token replaces a variable with its name.
 * @param onFailure - called if the variables cannot be read after a change. The previous values stay in use.
 */
export async function openVariableSource(
  { listen }: Pick<Database, 'listen'>,
  { readVariables, readTokens }: VariableReaders,
  onFailure: (error: unknown) => void,
): Promise<VariableSource & { close(): Promise<void> }> {
  let current = await read();
  let isClosed = false;
  let reading: Promise<void> | undefined;
  let isStale = false;
  const onChanges = new Set<() => void>();

  async function read(): Promise<ModelVariables> {
    const [variables, tokens] = await Promise.all([readVariables(), readTokens()]);
    return new Map([
      ...variables.map(({ name, ...variable }) => [name, variable] as const),
      ...tokens.map(({ name, ...token }) => [name, { ...token, isToken: true }] as const),
    ]);
  }

  /** Reads again if a change arrives during a read. */
  async function refresh(): Promise<void> {
    do {
      isStale = false;
      try {
        current = await read();
      } catch (error) {
        if (!isClosed) onFailure(error);
      }
    } while (isStale && !isClosed);
    reading = undefined;
    if (!isClosed) for (const onChange of onChanges) onChange();
  }

  const startRefresh = () => {
    isStale = true;
    reading ??= refresh();
  };
  const listener = listen(variablesChannel, startRefresh);
  const timer = setInterval(startRefresh, renewalMs);
  timer.unref();
  return {
    get current() {
      return current;
    },
    onChange(listenTo) {
      onChanges.add(listenTo);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await listener.close();
      await reading;
    },
  };
}

/** Maximum size of the values of all deployments in bytes. */
const cacheBytes = 16 * 1024 * 1024;
/** Approximate size of a variable without its name and value, in bytes. */
const entryBytes = 100;

/** Environment variables of the deployments that have a repository. */
interface DeploymentVariables {
  /** Returns the current variables of a deployment that its models can use. */
  of(deploymentId: number): Promise<ModelVariables>;
  close(): Promise<void>;
}

/**
 * Opens the environment variables of all deployments. They are cached until a change by any platform on the database,
 * and for at most a minute.
 * @param read - returns the variables of a deployment that its models can use.
 */
export function openDeploymentVariables(
  { listen }: Pick<Database, 'listen'>,
  read: (deploymentId: number) => Promise<readonly ServedVariable[]>,
): DeploymentVariables {
  const cache = new BoundedCache<ModelVariables>(cacheBytes);
  /** Number of changes. Part of the keys, so that a read that began before a change is not used after it. */
  let changes = 0;
  /** Opened for the first read, because most platforms have no such deployment. */
  let listener: ChannelListener | undefined;
  return {
    async of(deploymentId) {
      listener ??= listen(variablesChannel, () => {
        changes += 1;
      });
      const key = `${changes} ${deploymentId}`;
      const known = cache.find(key);
      if (known && Date.now() - known.storedAt < renewalMs) return known.value;
      const readAt = Date.now();
      const variables = await read(deploymentId);
      const values = new Map(variables.map(({ name, ...variable }) => [name, variable] as const));
      const bytes = variables.reduce((sum, { name, value }) => sum + 2 * (name.length + value.length) + entryBytes, 0);
      cache.set(key, values, bytes, readAt);
      return values;
    },
    close: async () => listener?.close(),
  };
}
