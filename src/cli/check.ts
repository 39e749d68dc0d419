import { join } from 'node:path';
import type { ModelProblem } from '../platform/data/model/model-error.js';
import { ExitCode } from './exit-code.js';
import { parseFlags } from './parse-flags.js';
import { UsageError } from './usage-error.js';

/** What `pa-platform check` was asked for. */
export interface CheckOptions {
  readonly modelDirectory: string;
  /** Without it any table may be named. */
  readonly sourcesDirectory: string | undefined;
  readonly json: boolean;
}

/** Where `check` says what it found. */
export interface CheckOutput {
  readonly print: (line: string) => void;
  readonly note: (text: string) => void;
}

/** Text of `pa-platform check --help`. */
export const checkHelp = `Checks a semantic model, as a continuous integration does: exits with 0 when it would serve, with 1 when it would not.
Each problem is a line "file:line: what to do" on stderr; one that keeps no model from serving begins with "warning: ".

  pa-platform check --model DIR [options]

  --model DIR    folder of the semantic model (YAML)
  --sources DIR  folder of the data; without it the tables that the model names are not looked for
  --json         prints one JSON object instead: {"cubes", "views", "problems": [{"file", "line", "message"}], "warnings"}
  --help         this text`;

const flags = {
  model: { type: 'string' },
  sources: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments that follow `check`; `null` asks for the help text.
 * @throws UsageError
 */
export function readCheckOptions(args: readonly string[]): CheckOptions | null {
  const { model, sources, json, help } = parseFlags('check', args, flags);
  if (help) return null;
  if (model === undefined) throw new UsageError('--model must name the folder to check: see pa-platform check --help.');
  return { modelDirectory: model, sourcesDirectory: sources, json };
}

/**
 * Compiles a model and says what is wrong with it.
 * @throws Error in one sentence, of a folder that can't be read.
 */
export async function check(options: CheckOptions, { print, note }: CheckOutput): Promise<ExitCode> {
  const { modelDirectory, json } = options;
  // Only what compiles a model is loaded: a check needs neither database nor engine.
  const [{ checkModel }, { ModelError }] = await Promise.all([
    import('../platform/data/model/compile-model.js'),
    import('../platform/data/model/model-error.js'),
  ]);
  const tables = await findTables(options);
  try {
    const { cubes, views, warnings } = await checkModel({ directory: modelDirectory, ...(tables && { tables }) });
    for (const warning of json ? [] : warnings) note(`warning: ${lineOf(modelDirectory, warning)}`);
    const counted = `${plural(cubes, 'cube')}, ${plural(views, 'view')}`;
    print(json ? JSON.stringify({ cubes, views, problems: [], warnings }) : `ok: ${counted}`);
    return ExitCode.done;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (json) print(JSON.stringify({ cubes: 0, views: 0, problems: error.problems, warnings: [] }));
    for (const problem of json ? [] : error.problems) note(lineOf(modelDirectory, problem));
    return ExitCode.failed;
  }
}

function lineOf(directory: string, { file, line, message }: ModelProblem): string {
  return `${join(directory, file)}:${line}: ${message.replaceAll('\n', ' ')}`;
}

function plural(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

async function findTables({ sourcesDirectory }: CheckOptions): Promise<string[] | undefined> {
  if (sourcesDirectory === undefined) return undefined;
  const { findSources } = await import('../platform/data/duckdb/sources.js');
  return (await findSources(sourcesDirectory)).map(({ table }) => table);
}
