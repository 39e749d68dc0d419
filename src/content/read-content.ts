import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { findYamlProblem, offsetOf } from '../platform/data/model/yaml-location.js';
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
import '../contract/messages.js';
import { defaultOwner } from '../contract/content-batches.js';
import {
  type FolderFile,
  FoldersFile,
  type GroupFile,
  GroupsFile,
  NotificationFile,
  OwnerFile,
  ReportFile,
  type RoleFile,
  RolesFile,
  VariablesFile,
  WorkbookFile,
} from '../contract/content-files.js';
import { NotificationName } from '../contract/notifications.js';
import type { Schema } from '../contract/operation.js';
import { PublicId } from '../contract/wire.js';
import { Slug } from '../contract/workbooks.js';

/** Parsed file, before validation. */
interface ParsedFile {
  readonly value: unknown;
  /** Creates a problem for a path, at the line of the closest ancestor that exists in the file. */
  problem(path: FilePath, message: string): ContentProblem;
}

/** Parses YAML, which includes JSON. */
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
  if (content === undefined)
    return problem([], 'aliases (*name) expand to too much content: replace some of them with the values');
  return { value: content.value, problem };
}

/**
 * Returns the content with aliases resolved; `undefined` if they expand beyond the limit, because a few lines could
 * expand to gigabytes.
 */
function resolveAliases(document: Document.Parsed): { readonly value: unknown } | undefined {
  try {
    return { value: document.toJS({ maxAliasCount: 1000 }) };
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

const extensions = ['.yml', '.yaml', '.json'];
/** Equals the size limit of a request with a dashboard, because a larger file could not be sent. */
const maxBytes = 5 * 1024 * 1024;

type Issue = NonNullable<ReturnType<Schema['safeParse']>['error']>['issues'][number];

/** The part of a schema that is used here. */
interface Shape<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** Files of a folder, for messages. */
const expected =
  'folders.yml, roles.yml, groups.yml, variables.yml, reports/<publicId>.yml, workbooks/<slug>.yml or notifications/<name>.yml';

/** Subfolders with one file per object. */
export const subfolders = ['reports', 'workbooks', 'notifications'] as const;

/**
 * Reads the files of a folder: `folders.yml`, `roles.yml`, `groups.yml`, `variables.yml`, `content.yml`, and the files
 * of its subfolders (`subfolders`), each in YAML or JSON. Slugs and names are URL-encoded in file names (`%2F` for a
 * slash).
 * @param name - name of the folder in messages.
 * @throws ContentError with all problems; Error if the folder cannot be read or has none of these files.
 */
export async function readContent(directory: string, name = directory): Promise<Content> {
  const reader = new ContentReader(directory);
  const top = await listFiles(directory, '').catch((cause: unknown) => {
    throw new Error(`Could not read the folder ${name}. Check that it exists.`, { cause });
  });
  for (const file of top) await reader.readTop(file);
  const [reports = [], workbooks = [], notifications = []] = await Promise.all(
    subfolders.map(folder => listFiles(directory, folder)),
  );
  const objects = [...top.filter(file => stemOf(file) !== 'content'), ...reports, ...workbooks, ...notifications];
  if (objects.length === 0) throw new Error(`The folder ${name} has no content. Add ${expected}.`);
  for (const file of reports) await reader.readReport(file);
  for (const file of workbooks) await reader.readWorkbook(file);
  for (const file of notifications) await reader.readNotification(file);
  return reader.end();
}

/** Returns the content files of a subfolder, sorted by name; empty if the subfolder does not exist. */
export async function listFiles(directory: string, folder: (typeof subfolders)[number] | ''): Promise<string[]> {
  const names = await readdir(join(directory, folder)).catch((error: unknown) => {
    if (folder !== '' && Object(error).code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter(name => extensions.includes(extname(name))).sort();
  return folder === '' ? files : files.map(name => `${folder}/${name}`);
}

class ContentReader {
  readonly #directory: string;
  readonly #problems: ContentProblem[] = [];
  readonly #reports = new Map<string, Located<ReportFile>>();
  readonly #workbooks = new Map<string, Located<WorkbookFile>>();
  readonly #notifications = new Map<string, Located<NotificationFile>>();
  readonly #roles = new Map<string, Located<RoleFile>>();
  readonly #groups = new Map<string, Located<GroupFile>>();
  readonly #variables = new Map<string, Located<string>>();
  readonly #top = new Map<string, string>();
  #folders: Content['folders'] = null;
  #owner = defaultOwner;

  constructor(directory: string) {
    this.#directory = directory;
  }

  addProblem(file: string, message: string): void {
    this.#problems.push({ file, line: 1, message });
  }

  /** Reads a file of the folder itself. */
  async readTop(file: string): Promise<void> {
    const stem = stemOf(file);
    const other = this.#top.get(stem);
    if (other !== undefined) return this.addProblem(file, `duplicates ${other}: remove one of them`);
    this.#top.set(stem, file);
    switch (stem) {
      case 'content':
        this.#owner = (await this.#readOnly(file, OwnerFile))?.content.owner ?? defaultOwner;
        return;
      case 'folders':
        return this.#readFolders(file);
      case 'roles':
        return this.#readList(
          file,
          RolesFile,
          ({ roles }) => roles,
          this.#roles,
          ({ name }) => name,
        );
      case 'groups':
        return this.#readList(
          file,
          GroupsFile,
          ({ groups }) => groups,
          this.#groups,
          ({ name }) => name,
        );
      case 'variables':
        return this.#readList(
          file,
          VariablesFile,
          ({ variables }) => variables,
          this.#variables,
          name => name,
        );
      default:
        this.addProblem(file, `expected ${expected}: move or remove it`);
    }
  }

  /** Reads a file whose only key contains a list of named objects. */
  async #readList<F, T>(
    file: string,
    schema: Shape<F>,
    itemsOf: (content: F) => readonly T[],
    found: Map<string, Located<T>>,
    nameOf: (item: T) => string,
  ): Promise<void> {
    const read = await this.#readOnly(file, schema);
    if (!read) return;
    const key = stemOf(file);
    for (const [index, content] of itemsOf(read.content).entries()) {
      const problem: Located<T>['problem'] = (path, message) => read.problem([key, index, ...path], message);
      const name = nameOf(content);
      if (found.has(name)) this.#problems.push(problem([], `${name} is listed twice: remove one of them`));
      else found.set(name, { file, content, problem });
    }
  }

  async #readOnly<T>(file: string, schema: Shape<T>): Promise<Located<T> | null> {
    const parsed = await this.#parse(file);
    const content = parsed && this.#check(parsed, schema, parsed.value);
    return parsed && content ? { file, content, problem: parsed.problem } : null;
  }

  async #readFolders(file: string): Promise<void> {
    const parsed = await this.#parse(file);
    const content = parsed && this.#check(parsed, FoldersFile, parsed.value);
    if (!parsed || !content) return;
    const { folders } = content;
    this.#folders = {
      file,
      content: folders,
      problem: (path, message) => parsed.problem(['folders', ...path], message),
    };
    this.#checkDuplicates(parsed, folders, ['folders']);
  }

  async readReport(file: string): Promise<void> {
    const publicId = stemOf(file);
    if (!PublicId.safeParse(publicId).success) {
      return this.addProblem(file, 'the file name must be the publicId of the report: 12 letters (A-Z, a-z) or digits');
    }
    const report = await this.#readOnly(file, ReportFile);
    if (report) this.#add(this.#reports, publicId, report);
  }

  async readWorkbook(file: string): Promise<void> {
    const slug = decodeName(stemOf(file));
    if (Slug.safeParse(slug).data !== slug) {
      return this.addProblem(
        file,
        'the file name must be the slug of the workbook: lower case, without leading or trailing spaces',
      );
    }
    const parsed = await this.#parse(file);
    const content = parsed && this.#checkWorkbook(parsed);
    if (parsed && content) this.#add(this.#workbooks, slug, { file, content, problem: parsed.problem });
  }

  async readNotification(file: string): Promise<void> {
    const name = decodeName(stemOf(file));
    if (NotificationName.safeParse(name).data !== name) {
      return this.addProblem(file, 'the file name must be the name of the notification, with up to 100 characters');
    }
    const notification = await this.#readOnly(file, NotificationFile);
    if (notification) this.#add(this.#notifications, name, notification);
  }

  end(): Content {
    if (this.#problems.length > 0) throw new ContentError(this.#problems);
    return {
      owner: this.#owner,
      folders: this.#folders,
      reports: this.#reports,
      workbooks: this.#workbooks,
      notifications: this.#notifications,
      roles: this.#roles,
      groups: this.#groups,
      variables: this.#variables,
    };
  }

  #add<T>(files: Map<string, Located<T>>, name: string, located: Located<T>): void {
    const other = files.get(name);
    if (other) this.addProblem(located.file, `duplicates ${other.file}: remove one of them`);
    else files.set(name, located);
  }

  async #parse(file: string): Promise<ParsedFile | null> {
    const path = join(this.#directory, file);
    if ((await stat(path)).size > maxBytes) {
      this.addProblem(file, `exceeds the limit of ${maxBytes} bytes per file`);
      return null;
    }
    const parsed = parseFile(file, await readFile(path, 'utf8'));
    if ('problem' in parsed) return parsed;
    this.#problems.push(parsed);
    return null;
  }

  /** Validates the file with temporary negative ids for the reports, because reports may not exist yet. */
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
    for (const [path, board] of dashboardsOf(named)) this.#problems.push(...findMisnamedReports(board, path, parsed));
    if (content.meta && Object.hasOwn(content.meta, 'dashboardDraft')) {
      this.#problems.push(
        parsed.problem(['meta', 'dashboardDraft'], 'meta.dashboardDraft: use the key dashboard instead'),
      );
    }
    return named;
  }

  #check<T>(parsed: ParsedFile, schema: Shape<T>, value: unknown): T | null {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const problems = result.error.issues.flatMap(explain);
    this.#problems.push(...problems.map(({ path, message }) => parsed.problem(path, message)));
    return null;
  }

  #checkDuplicates(parsed: ParsedFile, folders: readonly FolderFile[], path: FilePath): void {
    const seen = new Set<string>();
    for (const [place, folder] of folders.entries()) {
      if (seen.has(folder.name)) {
        this.#problems.push(parsed.problem([...path, place, 'name'], `name: duplicate folder name ${folder.name}`));
      }
      seen.add(folder.name);
      this.#checkDuplicates(parsed, folder.folders ?? [], [...path, place, 'folders']);
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

/** Returns the file name of a workbook, without extension. */
export function encodeName(slug: string): string {
  return encodeURIComponent(slug);
}

/** Replaces names of reports with ids in a file that is not validated yet. */
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

/** Returns the dashboards in a workbook's file, each with its path. */
export function dashboardsOf({ dashboard, publish }: WorkbookFile): [FilePath, NamedDashboard][] {
  const published = typeof publish === 'object' ? publish.dashboard : undefined;
  return [
    ...(dashboard ? [[['dashboard'], dashboard] satisfies [FilePath, NamedDashboard]] : []),
    ...(published ? [[['publish', 'dashboard'], published] satisfies [FilePath, NamedDashboard]] : []),
  ];
}

function findMisnamedReports(dashboard: NamedDashboard, path: FilePath, parsed: ParsedFile): ContentProblem[] {
  return namedReports(dashboard)
    .filter(({ report }) => !PublicId.safeParse(report).success)
    .map(({ report, widget }) => {
      const message = `config.report: ${JSON.stringify(report)} is not a publicId (12 letters or digits)`;
      return parsed.problem([...path, 'widgets', widget, 'config', 'report'], message);
    });
}

function explain(issue: Issue): { path: FilePath; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('\n');
    return issue.keys.map((key, index) => ({ path: [...issue.path, key], message: messages[index] ?? issue.message }));
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find(errors => errors.some(({ path }) => path.length > 0));
    if (inner) return inner.flatMap(each => explain({ ...each, path: [...issue.path, ...each.path] }));
  }
  const path = issue.path.map(String).join('.');
  if (issue.path.at(-2) === 'config' && issue.path.at(-1) === 'reportId') {
    const message = `${path.replace(/Id$/, '')}: set the publicId of a report, as in report: FlightsByDay`;
    return [{ path: [...issue.path.slice(0, -1), 'report'], message }];
  }
  return [{ path: issue.path, message: path === '' ? issue.message : `${path}: ${issue.message}` }];
}
