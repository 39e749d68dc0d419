/** One line of a bench's table. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** What it should be; empty where there is no bar. */
  readonly aim: string;
}

/** What a bench takes from whoever runs it. */
export interface BenchOptions {
  /** Hears what is going on, since a bench takes minutes. */
  readonly note: (text: string) => void;
  /** Takes steps that stop what was started, in case the bench is broken off. */
  readonly onStop: (step: () => Promise<void>) => void;
  /** Where profiles of the processes that are measured are written; without it none are taken, as they cost time. */
  readonly profileDirectory: string | null;
}

/** A bench: measures and tells; asserts nothing, since clocks differ. */
export type Bench = (options: BenchOptions) => AsyncGenerator<Figure, void>;

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Milliseconds for a table: whole ones where tenths say nothing. */
export function millis(value: number): string {
  return `${value < 100 ? value.toFixed(value < 1 ? 2 : 1) : Math.round(value)} ms`;
}

/** Figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map(({ what, measured, aim }) => `| ${what} | ${measured} | ${aim} |`);
  return ['| what | measured | aim |', '|---|---|---|', ...lines].join('\n');
}
