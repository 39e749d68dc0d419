/** One row of a benchmark's table. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** The target; empty if there is none. */
  readonly aim: string;
}

/** Options of a benchmark. */
export interface BenchOptions {
  /** Called with progress messages, because a benchmark takes minutes. */
  readonly note: (text: string) => void;
  /** Registers cleanup functions, which run if the benchmark is aborted. */
  readonly onStop: (step: () => Promise<void>) => void;
  /** Folder for CPU profiles of the measured processes; `null` disables profiling, which costs time. */
  readonly profileDirectory: string | null;
}

/** A benchmark yields measurements. It does not assert, because machines differ. */
export type Bench = (options: BenchOptions) => AsyncGenerator<Figure, void>;

/** Returns the median. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Formats milliseconds for a table, rounded to integers if tenths are not significant. */
export function millis(value: number): string {
  return `${value < 100 ? value.toFixed(value < 1 ? 2 : 1) : Math.round(value)} ms`;
}

/** Formats measurements as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map(({ what, measured, aim }) => `| ${what} | ${measured} | ${aim} |`);
  return ['| what | measured | aim |', '|---|---|---|', ...lines].join('\n');
}
