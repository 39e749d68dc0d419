/** What was asked for can't be understood: its message is one sentence for the terminal, and the exit code is 2. */
export class UsageError extends Error {
  /** @param message - one sentence that says what to write instead. */
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
