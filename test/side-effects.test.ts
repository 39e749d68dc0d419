import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

// If `sideEffects` in package.json does not list a module and none of its exports is used, bundlers drop it. Its
// top-level code and its side-effect imports then never run.

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const { sideEffects }: { sideEffects: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const patterns = sideEffects.map(pattern => {
  const expression = pattern.replaceAll('.', '\\.').replace(/\*\*\/|\*/g, glob => (glob === '*' ? '[^/]*' : '(.*/)?'));
  return new RegExp(`^${expression}$`);
});

/** Returns the name of the built file of a module, as package.json names it. */
const builtName = (path: string): string => `./dist/${relative(source, path).replace(/ts$/, 'js')}`;
const isListed = (path: string): boolean => patterns.some(pattern => pattern.test(builtName(path)));

const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map(name => readModule(join(source, name)));

function readModule(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** Whether a module does more on import than declare and export names. */
function hasEffects({ statements }: ts.SourceFile): boolean {
  const isDeclaration = (statement: ts.Statement): boolean =>
    // A directive such as 'use client'.
    (ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)) ||
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isModuleDeclaration(statement) ||
    (ts.isClassDeclaration(statement) && !statement.members.some(ts.isClassStaticBlockDeclaration));
  return !statements.every(isDeclaration);
}

const isBare = (statement: ts.Statement): statement is ts.ImportDeclaration =>
  ts.isImportDeclaration(statement) && !statement.importClause;

/** Returns the statements that re-export values of other modules. */
function reExports({ statements }: ts.SourceFile): ts.ExportDeclaration[] {
  return statements
    .filter(ts.isExportDeclaration)
    .filter(({ isTypeOnly, moduleSpecifier }) => !isTypeOnly && moduleSpecifier !== undefined)
    .filter(({ exportClause }) =>
      exportClause && ts.isNamedExports(exportClause) ? exportClause.elements.some(name => !name.isTypeOnly) : true,
    );
}

/** Returns the module of this package that a statement imports; `null` for other packages. */
function importedModule({ fileName }: ts.SourceFile, specifier: ts.Expression | undefined): string | null {
  if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return null;
  return join(dirname(fileName), specifier.text.replace(/js$/, 'ts'));
}

describe('sideEffects in package.json', () => {
  it('lists every module that does something on import', () => {
    const missing = modules.filter(module => hasEffects(module) && !isListed(module.fileName));
    // Modules of commands, processes and threads, which are never bundled.
    const started =
      /^\.\/dist\/(cli\/|platform\/(content\/dashboards\/chart-worker|data\/engines\/duckdb\/engine-process|data\/tables\/table-process|models\/git\/git-process)\.js$)/;
    expect(missing.map(({ fileName }) => builtName(fileName)).filter(name => !started.test(name))).toEqual([]);
  });

  it('lists each module that another module imports only for its side effects', () => {
    const lost = modules.flatMap(module =>
      module.statements.filter(isBare).flatMap(({ moduleSpecifier }) => {
        const imported = importedModule(module, moduleSpecifier);
        return imported && !isListed(imported) ? [`${builtName(module.fileName)}: ${moduleSpecifier.getText()}`] : [];
      }),
    );
    expect(lost).toEqual([]);
  });

  it('covers modules that hand on exports and need the effects of another one', () => {
    const skipped = modules
      .filter(module => !isListed(module.fileName))
      .flatMap(module => {
        const handedOn = reExports(module);
        const imports = [...module.statements.filter(isBare), ...handedOn];
        const needed = imports
          .map(({ moduleSpecifier }) => importedModule(module, moduleSpecifier))
          .filter(path => path !== null && isListed(path));
        return handedOn.length > 0 && needed.length > 0 ? [builtName(module.fileName)] : [];
      });
    expect(skipped).toEqual([]);
  });
});
