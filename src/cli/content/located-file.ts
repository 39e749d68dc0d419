import { type Document, LineCounter, parseDocument } from 'yaml';
import { findYamlProblem, offsetOf } from '../../platform/yaml-place.js';
import type { ContentProblem, FilePath } from './content.js';

/** A file that was parsed, before anything of its shape is known. */
export interface ParsedFile {
  readonly value: unknown;
  /** Says what is wrong at a place of the file, or at the nearest thing around it that the file has. */
  problem(path: FilePath, message: string): ContentProblem;
}

/** Parses a file of YAML or JSON, which is YAML too. */
export function parseFile(file: string, text: string): ParsedFile | ContentProblem {
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
