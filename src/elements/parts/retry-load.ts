/** Delay before each retry, in ms, so that a short network failure does not require a manual retry. */
const retryDelaysMs = [300, 1500];

/**
 * Loads a chunk and retries on failure. Does not use `retry` of the client, because every page would load it as one
 * more chunk at startup. Tests shorten the delays.
 */
export async function retryLoad<T>(load: () => Promise<T>, delaysMs: readonly number[] = retryDelaysMs): Promise<T> {
  for (const ms of delaysMs) {
    try {
      return await load();
    } catch {
      await new Promise(resolve => setTimeout(resolve, ms));
    }
  }
  return load();
}
