/** What a query is doing that isn't ready yet, as clients show it. */
export const Stage = { waiting: 'Waiting for a place in the queue', running: 'Executing the query' } as const;
/** What a query is doing that isn't ready yet, as clients show it. */
export type Stage = (typeof Stage)[keyof typeof Stage];

/** Not a failure: the query goes on, and whoever wants its rows asks again (domain.md 3, `Continue wait`). */
export class ContinueWait extends Error {
  /** One of `Stage`, or what another service says. */
  readonly stage: string;
  /** Milliseconds since the query began. */
  readonly elapsedMs: number;

  constructor(stage: string, elapsedMs: number) {
    super('Continue wait');
    this.name = 'ContinueWait';
    this.stage = stage;
    this.elapsedMs = elapsedMs;
  }
}
