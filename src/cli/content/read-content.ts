import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { findYamlProblem, offsetOf } from '../../platform/data/model/yaml-location.js';
import {
  type Content,
  ContentError,
  type ContentProblem,
  type FilePath,
  type Located,
  type NamedDashboard,
  namedReports,
  nameReports,
  numberReports,
} from './content.js';
import '../../contract/messages.js';
import { type FolderFile, FoldersFile, ReportFile, WorkbookFile } from '../../contract/content-files.js';
import type { Schema } from '../../contract/operation.js';
import { PublicId } from '../../contract/wire.js';
import { Slug } from '../../contract/workbooks.js';

/** A file that was parsed, before anything of its shape is known. */
interface ParsedFile {
  readonly value: unknown;
  /** Says what is wrong at a place of the file, or at the nearest thing around it that the file has. */
  problem(path: FilePath, message: string): ContentProblem;
}

/** Parses a file of YAML or JSON, which is YAML too. */
function parseFile(file: string, text: string): ParsedFile | ContentProblem {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true });
  const at = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const found = findYamlProblem(document);
  if (found) return { file, line: at(found.offset), message: found.message };
  const problem = (path: FilePath, message: string): ContentProblem => ({
    file,
    line: at(offsetOf(document, path)),
    message: message.replaceAll('\n', ' '),
  });
  const content = resolveAliases(document);
  if (content === undefined) return problem([], 'aliases (*name) stand for too much: write it out');
  return { value: content.value, problem };
}

/** Undefined where a few lines of aliases would become gigabytes. */
function resolveAliases(document: Document.Parsed): { readonly value: unknown } | undefined {
  try {
    return { value: document.toJS({ maxAliasCount: 1000 }) };
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

const extensions = ['.yml', '.yaml', '.json'];
/** The limit of a request with a dashboard: a larger file could not be sent. */
const maxBytes = 5 * 1024 * 1024;

type Issue = NonNullable<ReturnType<Schema['safeParse']>['error']>['issues'][number];

/** A schema, as far as a file needs it. */
interface Shape<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/**
 * Reads the files of a folder: `folders.yml`, `reports/<publicId>.yml` and `workbooks/<slug>.yml`, each of them YAML or JSON. A slug
 * stands in the name of its file as in an address (`%2F` for a slash).
 * @throws ContentError with everything that is wrong; Error where the folder can't be read.
 */
export async function readContent(directory: string): Promise<Content> {
  const reading = new Reading(directory);
  const top = await listFiles(directory, '').catch((cause: unknown) => {
    throw new Error(`The folder ${directory} can not be read: name a folder that exists.`, { cause });
  });
  for (const file of top) {
    if (stemOf(file) === 'folders') await reading.readFolders(file);
    else reading.refuse(file, 'is none of folders.yml, reports/<publicId>.yml and workbooks/<slug>.yml: move it away');
  }
  for (const file of await listFiles(directory, 'reports')) await reading.readReport(file);
  for (const file of await listFiles(directory, 'workbooks')) await reading.readWorkbook(file);
  return reading.end();
}

/** Content files of a sub-folder, by name; none where there is no such folder. */
export async function listFiles(directory: string, folder: 'reports' | 'workbooks' | ''): Promise<string[]> {
  const names = await readdir(join(directory, folder)).catch((error: unknown) => {
    if (folder !== '' && Object(error).code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter(name => extensions.includes(extname(name))).sort();
  return folder === '' ? files : files.map(name => `${folder}/${name}`);
}

class Reading {
  readonly #directory: string;
  readonly #problems: ContentProblem[] = [];
  readonly #reports = new Map<string, Located<ReportFile>>();
  readonly #workbooks = new Map<string, Located<WorkbookFile>>();
  #folders: Content['folders'] = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  refuse(file: string, message: string): void {
    this.#problems.push({ file, line: 1, message });
  }

  async readFolders(file: string): Promise<void> {
    if (this.#folders) return this.refuse(file, `says what ${this.#folders.file} says: keep one of them`);
    const parsed = await this.#parse(file);
    const content = parsed && this.#check(parsed, FoldersFile, parsed.value);
    if (!parsed || !content) return;
    const { folders } = content;
    this.#folders = {
      file,
      content: folders,
      problem: (path, message) => parsed.problem(['folders', ...path], message),
    };
    this.#refuseTwins(parsed, folders, ['folders']);
  }

  async readReport(file: string): Promise<void> {
    const publicId = stemOf(file);
    if (!PublicId.safeParse(publicId).success) {
      return this.refuse(file, 'the name of the file is the publicId of its report: 12 letters (A-Z, a-z) or digits');
    }
    const parsed = await this.#parse(file);
    const content = parsed && this.#check(parsed, ReportFile, parsed.value);
    if (parsed && content) this.#keep(this.#reports, publicId, { file, content, problem: parsed.problem });
  }

  async readWorkbook(file: string): Promise<void> {
    const slug = decodeName(stemOf(file));
    if (Slug.safeParse(slug).data !== slug) {
      return this.refuse(
        file,
        'the name of the file is the slug of its workbook: in lower case, without spaces around it',
      );
    }
    const parsed = await this.#parse(file);
    const content = parsed && this.#checkWorkbook(parsed);
    if (parsed && content) this.#keep(this.#workbooks, slug, { file, content, problem: parsed.problem });
  }

  end(): Content {
    if (this.#problems.length > 0) throw new ContentError(this.#problems);
    return { folders: this.#folders, reports: this.#reports, workbooks: this.#workbooks };
  }

  #keep<T>(kept: Map<string, Located<T>>, name: string, located: Located<T>): void {
    const other = kept.get(name);
    if (other) this.refuse(located.file, `says what ${other.file} says: keep one of them`);
    else kept.set(name, located);
  }

  async #parse(file: string): Promise<ParsedFile | null> {
    const path = join(this.#directory, file);
    if ((await stat(path)).size > maxBytes) {
      this.refuse(file, `the limit is ${maxBytes} bytes a file`);
      return null;
    }
    const parsed = parseFile(file, await readFile(path, 'utf8'));
    if ('problem' in parsed) return parsed;
    this.#problems.push(parsed);
    return null;
  }

  /** Reports have no numbers yet: each name gets one that stands for it while the shape is checked. */
  #checkWorkbook(parsed: ParsedFile): WorkbookFile | null {
    const names: string[] = [];
    const idOf = (name: string): number => -names.push(name);
    const nameOf = (id: number): string | undefined => names[-id - 1];
    const content = this.#check(parsed, WorkbookFile, eachDashboard(parsed.value, idOf));
    if (!content) return null;
    const { dashboard, publish } = content;
    const named = {
      ...content,
      ...(dashboard && { dashboard: nameReports(dashboard, nameOf) }),
      ...(typeof publish === 'object' && {
        publish: { ...publish, ...(publish.dashboard && { dashboard: nameReports(publish.dashboard, nameOf) }) },
      }),
    };
    for (const [path, board] of dashboardsOf(named)) this.#problems.push(...misnamed(board, path, parsed));
    if (content.meta && Object.hasOwn(content.meta, 'dashboardDraft')) {
      this.#problems.push(parsed.problem(['meta', 'dashboardDraft'], 'meta.dashboardDraft: write it as dashboard'));
    }
    return named;
  }

  #check<T>(parsed: ParsedFile, schema: Shape<T>, value: unknown): T | null {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const told = result.error.issues.flatMap(explain);
    this.#problems.push(...told.map(({ path, message }) => parsed.problem(path, message)));
    return null;
  }

  #refuseTwins(parsed: ParsedFile, folders: readonly FolderFile[], path: FilePath): void {
    const seen = new Set<string>();
    for (const [place, folder] of folders.entries()) {
      if (seen.has(folder.name)) {
        this.#problems.push(
          parsed.problem([...path, place, 'name'], `name: two folders are called ${folder.name} here`),
        );
      }
      seen.add(folder.name);
      this.#refuseTwins(parsed, folder.folders ?? [], [...path, place, 'folders']);
    }
  }
}

function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.slice(0, -extname(name).length);
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}

/** The name of a workbook's file, without its ending. */
export function encodeName(slug: string): string {
  return encodeURIComponent(slug);
}

/** A workbook's file, whatever its shape, with numbers in the place of the names of reports where it has a dashboard. */
function eachDashboard(value: unknown, idOf: (name: string) => number): unknown {
  const file = Object(value);
  const numbered = (dashboard: unknown): unknown =>
    Array.isArray(Object(dashboard).widgets) && Object(dashboard).widgets.every(isObject)
      ? numberReports(Object(dashboard), idOf)
      : dashboard;
  if (!isObject(value)) return value;
  const { dashboard, publish } = file;
  return {
    ...file,
    ...(dashboard !== undefined && { dashboard: numbered(dashboard) }),
    ...(isObject(publish) &&
      Object(publish).dashboard !== undefined && {
        publish: { ...publish, dashboard: numbered(Object(publish).dashboard) },
      }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The dashboards in a workbook's file, each with its place. */
export function dashboardsOf({ dashboard, publish }: WorkbookFile): [FilePath, NamedDashboard][] {
  const published = typeof publish === 'object' ? publish.dashboard : undefined;
  return [
    ...(dashboard ? [[['dashboard'], dashboard] satisfies [FilePath, NamedDashboard]] : []),
    ...(published ? [[['publish', 'dashboard'], published] satisfies [FilePath, NamedDashboard]] : []),
  ];
}

function misnamed(dashboard: NamedDashboard, path: FilePath, parsed: ParsedFile): ContentProblem[] {
  return namedReports(dashboard)
    .filter(({ report }) => !PublicId.safeParse(report).success)
    .map(({ report, widget }) => {
      const message = `config.report: ${JSON.stringify(report)} is no publicId, which has 12 letters or digits`;
      return parsed.problem([...path, 'widgets', widget, 'config', 'report'], message);
    });
}

function explain(issue: Issue): { path: FilePath; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ path: [...issue.path, key], message: `${key} is not known here` }));
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find(errors => errors.some(({ path }) => path.length > 0));
    if (inner) return inner.flatMap(each => explain({ ...each, path: [...issue.path, ...each.path] }));
  }
  const path = issue.path.map(String).join('.');
  if (issue.path.at(-2) === 'config' && issue.path.at(-1) === 'reportId') {
    const message = `${path.replace(/Id$/, '')}: a CHART widget names its report by publicId`;
    return [{ path: [...issue.path.slice(0, -1), 'report'], message }];
  }
  return [{ path: issue.path, message: path === '' ? issue.message : `${path}: ${issue.message}` }];
}
