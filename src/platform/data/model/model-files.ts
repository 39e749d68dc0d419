import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod/mini';
import { maxModelBytes } from '../../../contract/data-model.js';
import '../../../contract/messages.js';
import type { ModelCaches } from './model-caches.js';
import type { ModelProblem } from './model-error.js';
import { ModelSource } from './model-schema.js';
import { type ModelVariables, usesOf, VariableTokens, withoutUses } from './variables.js';
import { findYamlProblem, offsetOf } from './yaml-location.js';

const maxDepth = 8;

/**
 * Lists the `.yml` and `.yaml` files below a folder, sorted. Skips names that begin with a dot (editors, version
 * control). Includes symbolic links to files, because mounted configuration consists of links.
 */
async function listModelFiles(directory: string): Promise<string[]> {
  return (await list(directory, '', 0)).sort();
}

async function list(directory: string, below: string, depth: number): Promise<string[]> {
  if (depth > maxDepth) return [];
  const paths: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await list(directory, name, depth + 1)));
    else if ((entry.isFile() || entry.isSymbolicLink()) && /\.ya?ml$/.test(entry.name)) paths.push(name);
  }
  return paths;
}

/** Returns text that changes whenever a file of the model may have changed, without opening files. Never rejects. */
export async function stateOfFolder(directory: string): Promise<string> {
  // Ignore the error, because loading the model reports it.
  const names = await listModelFiles(directory).catch(() => null);
  if (names === null) return 'unreadable';
  const states = await Promise.all(names.map(name => stateOfFile(join(directory, name))));
  return createHash('sha256')
    .update(JSON.stringify([names, states]))
    .digest('hex');
}

/** Returns the state of a file. The ctime detects a replacement that has the same size and modification time. */
async function stateOfFile(path: string): Promise<string> {
  // Ignore the error. Either the file was removed after the folder was listed, or loading the model reports the error.
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? 'gone' : [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].join();
}

/** Keys and indices from the root of a file to a node. */
export type SourcePath = readonly PropertyKey[];

/** A parsed file and the locations of its nodes. */
export interface ModelFile {
  readonly name: string;
  /** The content, which is frozen, because models share it. */
  readonly source: ModelSource;
  /** Creates a problem at a node of the file. */
  problem(path: SourcePath, message: string): ModelProblem;
}

/** A cube or view of a file, with a function that reports problems. */
export interface Located<S> {
  readonly source: S;
  /** Reports a problem at a node of the cube or view. */
  report(path: SourcePath, message: string): void;
}

/** The files of a model, and the problems of unreadable ones. */
export interface ModelFiles {
  readonly files: readonly ModelFile[];
  readonly problems: readonly ModelProblem[];
  /** References to environment variables whose value is missing or unsuitable. The model may be valid otherwise. */
  readonly missingValues: readonly ModelProblem[];
  /** Hash that changes whenever a file, or the value of an environment variable that it uses, changes. */
  readonly version: string;
}

const limits = { files: 500, depth: 8, bytes: 1_000_000 } as const;
const notSupported = 'is not supported';
/** Unsupported keys, and what to use instead. */
const unsupportedKeys: ReadonlyMap<PropertyKey, string> = new Map([
  ['multi_stage', `${notSupported}: write the calculation in the sql of a cube`],
  ['time_shift', `${notSupported}: compare date ranges in the query, or write the comparison in the sql of a cube`],
  ['group_by', `${notSupported}: use a sub_query dimension`],
  ['reduce_by', `${notSupported}: use a sub_query dimension`],
  ['add_group_by', `${notSupported}: use a sub_query dimension`],
  ['extends', `${notSupported} here: only a cube can extend a cube`],
  ['pre_aggregations', `${notSupported}: remove it; results are cached without it`],
  ['refresh_key', `${notSupported}: remove it; the cache is invalidated when the data changes`],
  ['data_source', `${notSupported}: remove it; all cubes use one engine`],
  ['sql_alias', `${notSupported}: remove it`],
  ['rewrite_queries', `${notSupported}: remove it`],
  ['member_masking', `${notSupported}: hide members with the member_level of an access_policy`],
  ['mask', `${notSupported}: hide members with the member_level of an access_policy`],
  ['role', `${notSupported}: use group`],
  ['shown', `${notSupported}: use public`],
  ['visible', `${notSupported}: use public`],
  ['split', `${notSupported}: define a view for each cube`],
  ['links', `${notSupported}: define a dimension with format: link`],
]);
const unsupportedText: readonly (readonly [RegExp, string])[] = [
  [/\{\{|\{%|\{#/, "templates (Jinja) are not allowed in a model, except {{ env_var('NAME') }} in sql and sql_table"],
  [
    /\b(SECURITY_CONTEXT|COMPILE_CONTEXT)\b/,
    'SECURITY_CONTEXT and COMPILE_CONTEXT are not allowed: write an access_policy',
  ],
  [/\bunsafeValue\b/, 'unsafeValue is not allowed: write an access_policy'],
];

/** Whether a model file may contain this string, for example as a column name. */
export function isAllowedText(text: string): boolean {
  return !unsupportedText.some(([pattern]) => pattern.test(text));
}

/** Environment variables of a model, and the tokens that replace them. */
export interface VariableScope {
  readonly values: ModelVariables;
  readonly tokens: VariableTokens;
}

/** A file of a model before it is parsed. */
export interface ModelText {
  /** Path of the file in the model. */
  readonly name: string;
  readonly text: string;
}

/** A folder with the YAML files of a model, or the files themselves, sorted by name. */
export type ModelLocation = string | readonly ModelText[];

/**
 * Reads the files of a model: every `.yml` and `.yaml` file below a folder, or files in memory. Invalid content is
 * returned as `problems`.
 * @param variables - environment variables that the model may use; none by default.
 * @param parsed - content of files that have been parsed before; none by default.
 * @throws Error if the folder can't be read.
 */
export async function readModelFiles(
  location: ModelLocation,
  variables: VariableScope = { values: new Map(), tokens: new VariableTokens() },
  parsed?: ModelCaches['parsed'],
): Promise<ModelFiles> {
  const isFolder = typeof location === 'string';
  const names = isFolder ? await namesOf(location) : location.map(({ name }) => name);
  const files: ModelFile[] = [];
  const problems: ModelProblem[] = [];
  const missingValues: ModelProblem[] = [];
  const used = new Map<string, string>();
  const hash = createHash('sha256');
  if (names.length === 0) problems.push({ file: '.', line: 1, message: 'the folder contains no .yml file' });
  if (names.length > limits.files)
    problems.push({ file: '.', line: 1, message: `exceeds the limit of ${limits.files} files` });
  const isTooLarge = !isFolder && location.reduce((sum, { text }) => sum + text.length, 0) > maxModelBytes;
  if (isTooLarge) problems.push({ file: '.', line: 1, message: `exceeds the limit of ${maxModelBytes / 1e6} MB` });
  for (const [index, name] of names.slice(0, isTooLarge ? 0 : limits.files).entries()) {
    const text = isFolder ? await readText(join(location, name)) : (location[index]?.text ?? '');
    if (text === null || text.length > limits.bytes) {
      problems.push({ file: name, line: 1, message: `exceeds the limit of ${limits.bytes} bytes per file` });
      continue;
    }
    hash.update(JSON.stringify([name, text]));
    const known = parsed?.find(text);
    // Yield to the event loop between files in memory, because parsing blocks it.
    if (!known && !isFolder) await setImmediate();
    const file = known
      ? modelFile(name, text, known)
      : parseModelFile(name, text, { ...variables, used, missingValues, parsed });
    if ('problems' in file) problems.push(...file.problems);
    else files.push(file);
  }
  if (used.size > 0) hash.update(JSON.stringify([...used].sort()));
  return { files, problems, missingValues, version: hash.digest('hex').slice(0, 16) };
}

async function namesOf(directory: string): Promise<string[]> {
  return listModelFiles(directory).catch((cause: unknown) => {
    throw new Error(`Could not read the model folder ${directory}. Check that it exists.`, { cause });
  });
}

/** Returns `null` if the file is too large. */
async function readText(path: string): Promise<string | null> {
  return (await stat(path)).size > limits.bytes ? null : readFile(path, 'utf8');
}

/** Parses one file and validates its schema. */
function parseModelFile(
  name: string,
  text: string,
  variables: FileVariables,
): ModelFile | { readonly problems: readonly ModelProblem[] } {
  const unsupported = text.split('\n').flatMap((line, index) => unsupportedSyntax(name, line, index + 1));
  if (unsupported.length > 0) return { problems: unsupported };
  const { document, at } = parseText(text);
  const syntaxProblem = findYamlProblem(document);
  if (syntaxProblem) return { problems: [{ file: name, ...at(syntaxProblem.offset), message: syntaxProblem.message }] };
  const problem = (path: SourcePath, message: string) => ({ file: name, ...at(offsetOf(document, path)), message });
  const content = resolveAliases(document);
  if (content === undefined)
    return {
      problems: [problem([], 'aliases (*name) expand to too much content: replace some of them with the values')],
    };
  const problems: ModelProblem[] = [];
  const report = (path: SourcePath, message: string) => problems.push(problem(path, message));
  const reportMissing = (path: SourcePath, message: string) => variables.missingValues.push(problem(path, message));
  const bound = bindVariables(content, [], { ...variables, report, reportMissing });
  if (problems.length > 0) return { problems };
  const result = ModelSource.safeParse(bound);
  if (result.success) {
    const source = freeze(result.data);
    // The content of a file that uses environment variables depends on their values.
    if (usesOf(text).length === 0) variables.parsed?.set(text, source);
    return modelFile(name, text, source);
  }
  return { problems: result.error.issues.flatMap(explain).map(issue => problem(issue.path, issue.message)) };
}

/** Parses a text. `at` returns the position of an offset. */
function parseText(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true });
  const at = (offset: number) => {
    // The parser counts from 1, and returns 0 for a position outside the text.
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return { document, at };
}

/** Returns a valid file. It is parsed again for the first problem, because a parsed document needs much memory. */
function modelFile(name: string, text: string, source: ModelSource): ModelFile {
  let parsed: ReturnType<typeof parseText> | undefined;
  return {
    name,
    source,
    problem(path, message) {
      parsed ??= parseText(text);
      return { file: name, ...parsed.at(offsetOf(parsed.document, path)), message };
    },
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** Returns `undefined` for aliases that expand to an excessive size. */
function resolveAliases(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Environment variables for one file, and collectors for the variables that it uses. */
interface FileVariables extends VariableScope {
  /** Revisions of the variables that the model uses, by name. */
  readonly used: Map<string, string>;
  readonly missingValues: ModelProblem[];
  readonly parsed: ModelCaches['parsed'] | undefined;
}

interface BindScope extends VariableScope, Pick<FileVariables, 'used'> {
  readonly report: (path: SourcePath, message: string) => void;
  /** Reports a value that is missing or unsuitable. */
  readonly reportMissing: (path: SourcePath, message: string) => void;
}

const sqlKeys: readonly PropertyKey[] = ['sql', 'sql_table'];

/**
 * Replaces environment variables in the SQL of parsed content. Other scalars and all keys must not contain environment
 * variables.
 */
function bindVariables(content: unknown, path: SourcePath, scope: BindScope): unknown {
  if (typeof content === 'string') return bindScalar(content, path, scope);
  if (Array.isArray(content)) return content.map((item, index) => bindVariables(item, [...path, index], scope));
  if (typeof content !== 'object' || content === null) return content;
  const entries = Object.entries(content).map(([key, value]) => {
    if (usesOf(key).length > 0) scope.report([...path, key], 'a key must not contain an environment variable');
    return [key, bindVariables(value, [...path, key], scope)] as const;
  });
  return Object.fromEntries(entries);
}

function bindScalar(
  text: string,
  path: SourcePath,
  { values, tokens, used, report, reportMissing }: BindScope,
): string {
  if (usesOf(text).length === 0) return text;
  if (path.includes('access_policy') || !sqlKeys.includes(path.at(-1) ?? '')) {
    report(path, 'environment variables can be used only in sql and sql_table');
    return text;
  }
  const bound = tokens.bind(text, values, used);
  if ('sql' in bound) return bound.sql;
  (bound.isValueMissing ? reportMissing : report)(path, bound.problem);
  return withoutUses(text);
}

function unsupportedSyntax(file: string, line: string, number: number): ModelProblem[] {
  const text = withoutUses(line);
  return unsupportedText.filter(([mark]) => mark.test(text)).map(([, message]) => ({ file, line: number, message }));
}

function explain(issue: z.core.$ZodIssue): { path: SourcePath; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('\n');
    return issue.keys.map((key, index) => ({
      path: [...issue.path, key],
      message: unsupportedKeys.has(key) ? `${key} ${unsupportedKeys.get(key)}` : (messages[index] ?? issue.message),
    }));
  }
  const key = issue.path.filter(part => typeof part === 'string').at(-1);
  return [{ path: issue.path, message: key === undefined ? issue.message : `${key}: ${issue.message}` }];
}
