import { join } from 'node:path';
import type { ModelOptions } from '../platform/data/compile-model.js';
import { type Engine, SqlDialect } from '../platform/data/engines/engine.js';
import { type DataLocation, openEngine, readDataLocation } from '../platform/data/engines/open-engine.js';
import type { ModelProblem } from '../platform/data/model/model-error.js';
import { LoggableError } from '../platform/errors.js';
import { ExitCode, parseFlags, UsageError } from './command.js';

/** What `pa-platform check` was asked for. */
export interface CheckOptions {
  readonly modelDirectory: string;
  /** Where the tables are that the model may name; null where any may be named. */
  readonly place: DataLocation | null;
  /** Whose SQL the model is written in. */
  readonly dialect: SqlDialect;
  readonly json: boolean;
}

/** Where `check` says what it found. */
export interface CheckOutput {
  readonly print: (line: string) => void;
  readonly note: (text: string) => void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Text of `pa-platform check --help`. */
export const checkHelp = `Checks a semantic model, as a continuous integration does: exits with 0 when it would serve, with 1 when it would not.
Each problem is a line "file:line: what to do" on stderr; one that keeps no model from serving begins with "warning: ".

  pa-platform check --model DIR [options]

  --model DIR    folder of the semantic model (YAML)
  --sources DIR  folder of the data; without it the tables that the model names are not looked for
  --dialect D    whose SQL the model is written in: duckdb or postgres; by default that of the data
  --data-schema NAME
                 schema of the tables in the data source of PA_DATA_SOURCE_URL (public)
  --json         prints one JSON object instead: {"cubes", "views", "problems": [{"file", "line", "message"}], "warnings"}
  --help         this text

Environment
  PA_DATA_SOURCE_URL  Postgres server with the data, in place of --sources: its tables are looked for,
                      and the SQL of every cube is tried on it`;

const flags = {
  model: { type: 'string' },
  sources: { type: 'string' },
  dialect: { type: 'string' },
  'data-schema': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments that follow `check`; `null` asks for the help text.
 * @throws UsageError
 */
export function readCheckOptions(args: readonly string[], environment: Environment): CheckOptions | null {
  const { model, sources, dialect, 'data-schema': dataSchema, json, help } = parseFlags('check', args, flags);
  if (help) return null;
  if (model === undefined) throw new UsageError('--model must name the folder to check: see pa-platform check --help.');
  const dataSourceUrl = environment.PA_DATA_SOURCE_URL || undefined;
  const place = readDataLocation({ sourcesDirectory: sources, dataSourceUrl, dataSchema });
  return { modelDirectory: model, place, dialect: readDialect(dialect, place), json };
}

function readDialect(given: string | undefined, place: DataLocation | null): SqlDialect {
  const own = place && (place.kind === 'postgres' ? SqlDialect.postgres : SqlDialect.duckdb);
  if (given === undefined) return own ?? SqlDialect.duckdb;
  const dialect = Object.values(SqlDialect).find(name => name === given);
  if (dialect === undefined) throw new UsageError('--dialect must be duckdb or postgres.');
  if (own !== null && own !== dialect) {
    throw new UsageError(
      own === SqlDialect.duckdb
        ? '--dialect must be duckdb beside --sources: files are read by DuckDB.'
        : '--dialect must be postgres beside PA_DATA_SOURCE_URL: the model is written in the SQL of that server.',
    );
  }
  return dialect;
}

/**
 * Compiles a model and says what is wrong with it.
 * @throws Error in one sentence, of a folder that can't be read.
 */
export async function check(options: CheckOptions, output: CheckOutput): Promise<ExitCode> {
  const { print, note } = output;
  const { modelDirectory, dialect, json } = options;
  // Only what compiles a model is loaded: a check needs no database of the platform's, and no engine over files.
  const [{ checkModel }, { ModelError }] = await Promise.all([
    import('../platform/data/compile-model.js'),
    import('../platform/data/model/model-error.js'),
  ]);
  const engine = await openServer(options, output);
  try {
    const tables = engine?.tables ?? (await findFiles(options));
    const model = { directory: modelDirectory, dialect, ...(tables && { tables }) };
    const { cubes, views, ...checked } = await checkModel(model);
    const warnings = [...checked.warnings, ...(engine ? await tryOut(model, engine) : [])];
    for (const warning of json ? [] : warnings) note(`warning: ${lineOf(modelDirectory, warning)}`);
    const counted = `${plural(cubes, 'cube')}, ${plural(views, 'view')}`;
    print(json ? JSON.stringify({ cubes, views, problems: [], warnings }) : `ok: ${counted}`);
    return ExitCode.done;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (json) print(JSON.stringify({ cubes: 0, views: 0, problems: error.problems, warnings: [] }));
    for (const problem of json ? [] : error.problems) note(lineOf(modelDirectory, problem));
    return ExitCode.failed;
  } finally {
    await engine?.close();
  }
}

function lineOf(directory: string, { file, line, message }: ModelProblem): string {
  return `${join(directory, file)}:${line}: ${message.replaceAll('\n', ' ')}`;
}

function plural(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** The tables that files are; the files themselves are not read, which may take long. */
async function findFiles({ place }: CheckOptions): Promise<readonly string[] | undefined> {
  if (place?.kind !== 'files') return undefined;
  const { findSources } = await import('../platform/data/engines/duckdb/sources.js');
  return (await findSources(place.directory)).map(({ table }) => table);
}

async function openServer({ place }: CheckOptions, { note }: CheckOutput): Promise<Engine | null> {
  return place?.kind === 'postgres' ? openEngine(place, { onProblem: note }) : null;
}

/** Has the server read the SQL of every cube and view, of which it runs nothing: what it refuses. */
async function tryOut(options: ModelOptions, engine: Engine): Promise<ModelProblem[]> {
  const { compileModel } = await import('../platform/data/compile-model.js');
  const refused: ModelProblem[] = [];
  for (const plan of (await compileModel(options)).rehearsals()) {
    try {
      const { sql, parameters } = plan.statement();
      await engine.describe(sql, parameters);
    } catch (error) {
      if (!(error instanceof LoggableError)) throw error;
      const [entity] = plan.columns[0]?.member.split('.') ?? [];
      refused.push({ file: '.', line: 1, message: `${entity} can't be queried: ${error.message}` });
    }
  }
  return refused;
}
