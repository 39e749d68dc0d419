/** A problem of a model. */
export interface ModelProblem {
  /** Path in the model folder. */
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
  readonly message: string;
}

/** An invalid model with all its problems; the message lists them as `file:line: what to do`. */
export class ModelError extends Error {
  readonly problems: readonly ModelProblem[];

  constructor(problems: readonly ModelProblem[]) {
    super(`The semantic model is invalid:\n${problems.map(describe).join('\n')}`);
    this.name = 'ModelError';
    this.problems = problems;
  }
}

/** A model that lacks only the values of environment variables. */
export class MissingVariableError extends ModelError {}

function describe({ file, line, message }: ModelProblem): string {
  return `${file}:${line}: ${message}`;
}
