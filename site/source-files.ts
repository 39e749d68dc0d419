import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Parses the TypeScript files of a folder of the repository whose names match. Imported types are not resolved. */
export function parseFolder(folder: string, pattern = /\.ts$/): ts.SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => pattern.test(file))
    .sort()
    .map(file =>
      ts.createSourceFile(basename(file), readFileSync(join(root, folder, file), 'utf8'), ts.ScriptTarget.ES2022, true),
    );
}

/** Returns the text of the comment before a declaration, without its tags; empty if there is none. */
export function commentOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)?.comment;
  return (ts.getTextOfJSDocComment(comment) ?? '').trim();
}

/** An exported constant or function and the comment before it. */
export interface ExportedValue {
  readonly name: string;
  readonly comment: string;
  readonly node: ts.FunctionDeclaration | ts.Expression;
}

/** Lists the exported constants and functions of a file. */
export function exportedValues(file: ts.SourceFile): ExportedValue[] {
  return file.statements.flatMap((statement): ExportedValue[] => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isFunctionDeclaration(statement) && statement.name)
      return [{ name: statement.name.text, comment: commentOf(statement), node: statement }];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer ? [{ name: name.getText(), comment: commentOf(statement), node: initializer }] : [],
    );
  });
}
