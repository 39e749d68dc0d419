/** Delays before each retry, ms, so that a short network failure does not require a manual retry. */
const retryDelaysMs = [300, 1500];

/** Loads a chunk and retries on failure. Tests replace `pause`. */
export async function retryLoad<T>(
  load: () => Promise<T>,
  pause: (ms: number) => Promise<void> = ms => new Promise(resolve => setTimeout(resolve, ms)),
): Promise<T> {
  for (const ms of retryDelaysMs) {
    try {
      return await load();
    } catch {
      await pause(ms);
    }
  }
  return load();
}
