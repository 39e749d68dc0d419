/** Pauses before each further attempt, ms: a network that is gone for a moment costs nobody a click. */
const pauses = [300, 1500];

/** Tries again to load a chunk that could not be loaded. `pause` stands in for the wait. */
export async function retryLoad<T>(
  load: () => Promise<T>,
  pause: (ms: number) => Promise<void> = ms => new Promise(resolve => setTimeout(resolve, ms)),
): Promise<T> {
  for (const ms of pauses) {
    try {
      return await load();
    } catch {
      await pause(ms);
    }
  }
  return load();
}
