/** Limits of threads and runs. Times are in milliseconds. */
export interface ChatLimits {
  /** Maximum number of concurrent runs per owner, across all processes. */
  readonly ownerRuns: number;
  /** Maximum number of concurrent runs in this process. */
  readonly processRuns: number;
  /** Maximum number of concurrent agents in this process; other runs wait. */
  readonly agentsAtOnce: number;
  /** Maximum delay of waiting agents while new messages are being accepted. */
  readonly yieldFor: number;
  readonly threadTurns: number;
  /**
   * Maximum number of threads per owner. Threads are never deleted automatically. When the limit is reached, the owner
   * must delete one.
   */
  readonly ownerThreads: number;
  /** Limits for the earlier turns that an agent receives. */
  readonly historyTurns: number;
  readonly historyCharacters: number;
  /** Maximum number of characters of text and reasoning per run; the rest is cut off. */
  readonly outputCharacters: number;
  /** Maximum number of characters of all tool inputs and results per run. */
  readonly toolCharacters: number;
  readonly steps: number;
  readonly runTime: number;
  /** Duration of a lease. After it, the turn of a failed process can be resumed. */
  readonly leaseTime: number;
  /** Interval at which leases are renewed and abort requests by other processes are detected. */
  readonly renewEvery: number;
  /** Interval at which a run of another process is polled. */
  readonly followEvery: number;
  /** How long ended runs stay in memory for clients that join, and their maximum total size in characters. */
  readonly lingerTime: number;
  readonly lingerCharacters: number;
  /**
   * Maximum number of text deltas that are cached individually, for clients that fall behind or reconnect. When it is
   * exceeded, deltas are merged.
   */
  readonly loosePieces: number;
  readonly looseCharacters: number;
}

/** Default limits. */
export const defaultChatLimits: ChatLimits = {
  ownerRuns: 3,
  processRuns: 400,
  agentsAtOnce: 400,
  yieldFor: 500,
  threadTurns: 2_000,
  ownerThreads: 1_000,
  historyTurns: 20,
  historyCharacters: 60_000,
  outputCharacters: 200_000,
  toolCharacters: 2_000_000,
  steps: 30,
  runTime: 5 * 60_000,
  leaseTime: 10_000,
  renewEvery: 3_000,
  followEvery: 500,
  lingerTime: 30_000,
  lingerCharacters: 8_000_000,
  loosePieces: 1_000,
  looseCharacters: 32_000,
};
