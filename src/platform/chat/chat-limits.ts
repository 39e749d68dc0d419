/** What threads and runs may take. Times are in milliseconds. */
export interface ChatLimits {
  /** Runs of one owner at once, over all processes. */
  readonly ownerRuns: number;
  /** Runs of this process at once. */
  readonly processRuns: number;
  /** Agents of this process that work at once; other runs wait for their turn. */
  readonly agentsAtOnce: number;
  /** How long agents are kept back while messages are being taken in. */
  readonly yieldFor: number;
  readonly threadTurns: number;
  /** Nothing is deleted unasked: an owner with so many threads is told to delete one. */
  readonly ownerThreads: number;
  /** What an agent is told of earlier turns. */
  readonly historyTurns: number;
  readonly historyCharacters: number;
  /** What one run may write, think and do before it is cut off. */
  readonly outputCharacters: number;
  /** Input and results of its tools together. */
  readonly toolCharacters: number;
  readonly steps: number;
  readonly runTime: number;
  /** How long a turn stays with a process that is heard of no more. */
  readonly leaseTime: number;
  /** How often leases are renewed, and runs hear of an abort in another process. */
  readonly renewEvery: number;
  /** How often a run in another process is looked after. */
  readonly followEvery: number;
  /** How long a run that has ended can be joined in memory, and how many characters of such runs are kept. */
  readonly lingerTime: number;
  readonly lingerCharacters: number;
  /** Pieces of text that are kept one by one, for readers who have fallen behind or come back; more are joined. */
  readonly loosePieces: number;
  readonly looseCharacters: number;
}

/** The limits unless somebody says otherwise. */
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
