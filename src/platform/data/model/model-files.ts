import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod/mini';
import '../../../contract/messages.js';
import type { ModelProblem } from './model-error.js';
import { ModelSource } from './model-schema.js';
import { findYamlProblem, offsetOf } from './yaml-location.js';

const maxDepth = 8;

/**
 * Paths of the `.yml` and `.yaml` files below a folder, sorted. What begins with a dot is passed over: editors and version
 * control keep their own there. Links to files count as files, as mounted configuration is made of them.
 */
async function listModelFiles(directory: string): Promise<string[]> {
  return (await list(directory, '', 0)).sort();
}

async function list(directory: string, below: string, depth: number): Promise<string[]> {
  if (depth > maxDepth) return [];
  const found: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await list(directory, name, depth + 1)));
    else if ((entry.isFile() || entry.isSymbolicLink()) && /\.ya?ml$/.test(entry.name)) found.push(name);
  }
  return found;
}

/** Text that changes whenever a file of the model may have: no file is opened for it. A folder that can't be read has one too. */
export async function stateOfFolder(directory: string): Promise<string> {
  const names = await listModelFiles(directory).catch(() => null);
  if (names === null) return 'unreadable';
  const states = await Promise.all(names.map(name => stateOfFile(join(directory, name))));
  return createHash('sha256')
    .update(JSON.stringify([names, states]))
    .digest('hex');
}

/** The time of change tells of a file that was replaced by one of the same size and time. */
async function stateOfFile(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? 'gone' : [found.size, found.mtimeNs, found.ctimeNs, found.ino].join();
}

/** Keys and indices from the top of a file to a place in it. */
export type SourcePath = readonly PropertyKey[];

/** A parsed file, and where its parts stand. */
export interface ModelFile {
  readonly name: string;
  readonly source: ModelSource;
  /** Says what is wrong at a place of the file. */
  problem(path: SourcePath, message: string): ModelProblem;
}

/** A cube or view as its file writes it, with a way to say what is wrong with it. */
export interface Located<S> {
  readonly source: S;
  /** Notes a problem at a place inside the cube or view. */
  report(path: SourcePath, message: string): void;
}

/** The files of a model, and what is wrong with those that couldn't be read. */
interface ModelFiles {
  readonly files: readonly ModelFile[];
  readonly problems: readonly ModelProblem[];
  /** Changes whenever a file does. */
  readonly version: string;
}

const limits = { files: 500, depth: 8, bytes: 1_000_000 } as const;
const notSupported = 'is not supported';
/** Keys that models elsewhere hold, and what to do about them here. */
const refusedKeys: ReadonlyMap<PropertyKey, string> = new Map([
  ['multi_stage', `${notSupported}: write the calculation in sql of a cube`],
  ['time_shift', `${notSupported}: compare date ranges in the query, or write it in sql of a cube`],
  ['group_by', `${notSupported}: use a sub_query dimension`],
  ['reduce_by', `${notSupported}: use a sub_query dimension`],
  ['add_group_by', `${notSupported}: use a sub_query dimension`],
  ['extends', `${notSupported} here: a cube can extend a cube`],
  ['pre_aggregations', `${notSupported}: leave it out, answers are kept without it`],
  ['refresh_key', `${notSupported}: leave it out, answers follow the data when it changes`],
  ['data_source', `${notSupported}: leave it out, all cubes read one engine`],
  ['sql_alias', `${notSupported}: leave it out`],
  ['rewrite_queries', `${notSupported}: leave it out`],
  ['member_masking', `${notSupported}: hide members by member_level`],
  ['mask', `${notSupported}: hide members by member_level`],
  ['role', `${notSupported}: write group`],
  ['shown', `${notSupported}: write public`],
  ['visible', `${notSupported}: write public`],
  ['split', `${notSupported}: write a view for each cube`],
  ['links', `${notSupported}: write a dimension with format link`],
]);
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/\{\{|\{%|\{#/, 'templates (Jinja marks) are not allowed in a model'],
  [
    /\b(SECURITY_CONTEXT|COMPILE_CONTEXT)\b/,
    'SECURITY_CONTEXT and COMPILE_CONTEXT are not allowed: write an access_policy',
  ],
  [/\bunsafeValue\b/, 'unsafeValue is not allowed: write an access_policy'],
];

/**
 * Reads every `.yml` and `.yaml` file below a folder. Nothing is thrown for what a file says; see `problems`.
 * @throws Error that says so when the folder can't be read.
 */
export async function readModelFiles(directory: string): Promise<ModelFiles> {
  const names = await listModelFiles(directory).catch((cause: unknown) => {
    throw new Error(`The model folder ${directory} can not be read: name a folder that exists.`, { cause });
  });
  const files: ModelFile[] = [];
  const problems: ModelProblem[] = [];
  const hash = createHash('sha256');
  if (names.length === 0) problems.push({ file: '.', line: 1, message: 'the folder holds no .yml file' });
  if (names.length > limits.files) problems.push({ file: '.', line: 1, message: `the limit is ${limits.files} files` });
  for (const name of names.slice(0, limits.files)) {
    const path = join(directory, name);
    if ((await stat(path)).size > limits.bytes) {
      problems.push({ file: name, line: 1, message: `the limit is ${limits.bytes} bytes a file` });
      continue;
    }
    const text = await readFile(path, 'utf8');
    hash.update(JSON.stringify([name, text]));
    const parsed = parseModelFile(name, text);
    if ('problems' in parsed) problems.push(...parsed.problems);
    else files.push(parsed);
  }
  return { files, problems, version: hash.digest('hex').slice(0, 16) };
}

/** Parses one file and checks its shape. */
function parseModelFile(name: string, text: string): ModelFile | { readonly problems: readonly ModelProblem[] } {
  const refused = text.split('\n').flatMap((line, index) => refusals(name, line, index + 1));
  if (refused.length > 0) return { problems: refused };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true });
  const at = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const found = findYamlProblem(document);
  if (found) return { problems: [{ file: name, line: at(found.offset), message: found.message }] };
  const problem = (path: SourcePath, message: string) => ({ file: name, line: at(offsetOf(document, path)), message });
  const content = resolveAliases(document);
  if (content === undefined) return { problems: [problem([], 'aliases (*name) stand for too much: write it out')] };
  const result = ModelSource.safeParse(content);
  if (result.success) return { name, source: result.data, problem };
  return { problems: result.error.issues.flatMap(explain).map(issue => problem(issue.path, issue.message)) };
}

/** Undefined where a few lines of aliases would become gigabytes. */
function resolveAliases(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

function refusals(file: string, text: string, line: number): ModelProblem[] {
  return refusedText.filter(([mark]) => mark.test(text)).map(([, message]) => ({ file, line, message }));
}

function explain(issue: z.core.$ZodIssue): { path: SourcePath; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      path: [...issue.path, key],
      message: `${key} ${refusedKeys.get(key) ?? 'is not known here'}`,
    }));
  }
  const key = issue.path.filter(part => typeof part === 'string').at(-1);
  return [{ path: issue.path, message: key === undefined ? issue.message : `${key}: ${issue.message}` }];
}
