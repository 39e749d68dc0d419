/** A problem in a model file. */
export interface ModelProblem {
  /** Path of the file, relative to the model folder. */
  readonly file: string;
  /** Line number, starting at 1. */
  readonly line: number;
  /** Column number, starting at 1, if known. */
  readonly column?: number;
  readonly message: string;
}

/** Thrown for an invalid model. The message lists all problems as `file:line: what to do`. */
export class ModelError extends Error {
  readonly problems: readonly ModelProblem[];

  constructor(problems: readonly ModelProblem[]) {
    super(`The semantic model is invalid:\n${problems.map(describe).join('\n')}`);
    this.name = 'ModelError';
    this.problems = problems;
  }
}

/** Thrown for a model whose only problems are missing values of environment variables. */
export class MissingVariableError extends ModelError {}

function describe({ file, line, message }: ModelProblem): string {
  return `${file}:${line}: ${message}`;
}
