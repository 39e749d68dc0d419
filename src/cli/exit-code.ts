/** How a command ended. */
export const ExitCode = { done: 0, failed: 1, misused: 2 } as const;
/** How a command ended. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
