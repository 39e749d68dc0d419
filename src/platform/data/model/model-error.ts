/** One thing that is wrong with a model. */
export interface ModelProblem {
  /** Path inside the model's folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** A model that can't be served, with every problem that was found; the message lists them as `file:line: what to do`. */
export class ModelError extends Error {
  readonly problems: readonly ModelProblem[];

  constructor(problems: readonly ModelProblem[]) {
    super(`The semantic model has ${problems.length} problem(s):\n${problems.map(describe).join('\n')}`);
    this.name = 'ModelError';
    this.problems = problems;
  }
}

function describe({ file, line, message }: ModelProblem): string {
  return `${file}:${line}: ${message}`;
}
