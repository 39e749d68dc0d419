import type { FolderFile, ReportFile, WorkbookFile } from '../../contract/content-files.js';

/** Keys and indices from the top of a file to a place in it. */
export type FilePath = readonly PropertyKey[];

/** One thing that is wrong with a file. */
export interface ContentProblem {
  /** Path inside the folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** What a file says, and a way to say what is wrong with it. */
export interface Located<T> {
  readonly file: string;
  readonly content: T;
  problem(path: FilePath, message: string): ContentProblem;
}

/** Dashboards as code: what the files of a folder say, by the names that their objects have everywhere. */
export interface Content {
  readonly folders: Located<readonly FolderFile[]> | null;
  /** By `publicId`. */
  readonly reports: ReadonlyMap<string, Located<ReportFile>>;
  /** By slug. */
  readonly workbooks: ReadonlyMap<string, Located<WorkbookFile>>;
}

/** Files that can't be applied; nothing was sent. */
export class ContentError extends Error {
  readonly problems: readonly ContentProblem[];

  constructor(problems: readonly ContentProblem[]) {
    super(`The content has ${problems.length} problem(s).`);
    this.name = 'ContentError';
    this.problems = problems;
  }
}

/** A text that stands for the way to a folder, and for no other. */
export function folderKey(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** The folders of a file by the way to them, each with its own, and with its place in the list. */
export function eachFolder(
  folders: readonly FolderFile[],
  way: readonly string[] = [],
  path: FilePath = [],
): [string[], FolderFile, FilePath][] {
  return folders.flatMap((folder, index) => {
    const names = [...way, folder.name];
    const place = [...path, index];
    const inner = eachFolder(folder.folders ?? [], names, [...place, 'folders']);
    return [[names, folder, place] satisfies [string[], FolderFile, FilePath], ...inner];
  });
}
