import type { SealedSecrets } from './auth/sealed-secrets.js';
import type { ModelVariables, VariableSource } from './data/model/variables.js';
import type { Database } from './db/database.js';
import { servedVariables, variablesChannel } from './models/env-variable-store.js';

/**
 * Opens the environment variables of the served deployment. They are updated after changes by any platform on the
 * database.
 * @param onFailure - called if the variables cannot be read after a change. The previous values stay in use.
 */
export async function openVariableSource(
  { db, listen }: Database,
  secrets: SealedSecrets,
  onFailure: (error: unknown) => void,
): Promise<VariableSource & { close(): Promise<void> }> {
  let current = await read();
  let isClosed = false;
  let reading: Promise<void> | undefined;
  let isStale = false;
  const onChanges = new Set<() => void>();

  async function read(): Promise<ModelVariables> {
    return new Map((await servedVariables(db, secrets)).map(({ name, ...variable }) => [name, variable]));
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

  const listener = listen(variablesChannel, () => {
    isStale = true;
    reading ??= refresh();
  });
  return {
    get current() {
      return current;
    },
    onChange(listenTo) {
      onChanges.add(listenTo);
    },
    async close() {
      isClosed = true;
      await listener.close();
      await reading;
    },
  };
}
