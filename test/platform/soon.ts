import { vi } from 'vitest';

/** Waits until an assertion holds. Alone, `vi.waitFor` gives up after a second, which a busy machine may need for a single query. */
export const soon = <T>(assertion: () => T | Promise<T>): Promise<T> => vi.waitFor(assertion, { timeout: 20_000 });
