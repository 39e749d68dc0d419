/** What a command that speaks to a platform is given. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly note: (text: string) => void;
}
