import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/**
 * What an area may import: other areas (`area` or `area/module`), packages (a trailing `*` stands for any ending) and
 * modules of Node. Also lists the globals that it may use in addition to those of the language.
 */
interface Border {
  readonly areas: readonly string[];
  readonly packages: readonly string[];
  readonly types?: readonly string[];
  readonly node?: boolean;
  readonly globals: (name: string) => boolean;
}

const only =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);
const language = new Set<string>(runInNewContext('Object.getOwnPropertyNames(globalThis)'));
const requests = [
  'fetch',
  'Response',
  'Blob',
  'FormData',
  'AbortController',
  'AbortSignal',
  'setTimeout',
  'clearTimeout',
  'URL',
  'TextDecoder',
  'atob',
  'btoa',
];
const server = ['process', 'Buffer', 'global', 'require', 'module', 'setImmediate', '__dirname', '__filename'];
/** Globals of a page, except those for requests: only the client sends requests. */
const page = (name: string): boolean =>
  ![...server, 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].includes(name);
/** Globals of Node, except those of pages that servers do not need. */
const node = (name: string): boolean => name in globalThis && !['navigator', 'localStorage'].includes(name);

/** A folder of the platform. Each of them may import the contract, the errors and the runtime. */
const platform = (areas: readonly string[], packages: readonly string[], outside: readonly string[] = []): Border => ({
  areas: ['contract', 'platform/errors', 'platform/runtime', ...areas.map(area => `platform/${area}`), ...outside],
  packages,
  node: true,
  globals: node,
});
const tables = ['drizzle-orm', 'drizzle-orm/pg-core'];
const routes = ['auth', 'db', 'http'];

const borders: Readonly<Record<string, Border>> = {
  contract: { areas: [], packages: ['zod/mini'], globals: only() },
  client: { areas: ['contract'], packages: ['eventsource-parser'], globals: only(...requests) },
  report: {
    areas: ['contract:types'],
    packages: [
      'd3-format',
      'd3-time-format',
      'd3-sankey',
      'hucre/xlsx',
      'd3-geo',
      'topojson-client',
      'us-atlas*',
      'world-atlas*',
      'marked',
      'htmlparser2',
    ],
    globals: only(),
  },
  'charts/view': { areas: ['contract:types', 'report'], packages: ['vega*'], globals: only('EventTarget') },
  'charts/mount': { areas: ['charts/view', 'contract:types', 'report'], packages: ['vega*'], globals: page },
  controllers: {
    areas: ['contract', 'client', 'report', 'charts'],
    packages: ['lit*', '@lit/task', '@lit/context'],
    globals: page,
  },
  messages: { areas: ['contract:types', 'controllers:types', 'report'], packages: [], globals: only() },
  scene: { areas: ['contract:types', 'messages', 'report'], packages: [], globals: only() },
  elements: {
    areas: ['contract:types', 'controllers', 'messages', 'report', 'scene'],
    packages: ['lit*'],
    globals: page,
  },
  console: {
    areas: ['contract:types', 'client', 'controllers', 'elements', 'messages', 'report'],
    packages: ['lit*', 'yaml'],
    globals: page,
  },
  render: {
    areas: ['charts/view', 'contract:types', 'messages', 'report', 'scene'],
    packages: ['@resvg/resvg-js', 'fontkit', 'htmlparser2', 'pdfkit', 'svg-to-pdfkit'],
    node: true,
    globals: node,
  },
  node: {
    areas: ['contract', 'client', 'render'],
    packages: [],
    types: ['node:http'],
    globals: only(...requests, 'Request', 'Response', 'Headers', 'process', 'TextEncoder', 'crypto'),
  },
  'platform/errors': { areas: [], packages: [], globals: only() },
  'platform/runtime': { areas: ['platform/errors'], packages: ['lru-cache'], node: true, globals: node },
  'platform/db': platform([], ['drizzle-orm*', 'pg', 'zod/mini']),
  'platform/auth': platform(['db'], ['drizzle-orm', 'jose', 'lru-cache', 'zod/mini']),
  'platform/jobs': platform(['db'], ['drizzle-orm']),
  'platform/http': platform(['auth', 'db'], ['drizzle-orm', 'hono', 'hono/utils/http-status', 'zod/mini']),
  'platform/data': platform(
    ['auth', 'http'],
    [
      '@cubejs-backend/schema-compiler',
      '@duckdb/node-api',
      'chrono-node/en',
      'hono',
      'hucre/xlsx',
      'jose',
      'libpg-query',
      'lru-cache',
      'pg',
      'yaml',
      'zod/mini',
    ],
    ['report'],
  ),
  'platform/agent': platform(
    ['data'],
    [
      '@ai-sdk/openai-compatible',
      '@modelcontextprotocol/client',
      'ai',
      'chrono-node/en',
      'fuse.js',
      'lru-cache',
      'zod/mini',
    ],
    ['report', 'charts/view'],
  ),
  'platform/settings': platform([...routes, 'data'], ['drizzle-orm', 'hono']),
  'platform/usage': platform([...routes, 'data'], ['drizzle-orm', 'hono', 'pg']),
  'platform/people': platform(routes, ['drizzle-orm', 'hono', 'openid-client', 'scimmy']),
  'platform/models': platform(
    [...routes, 'agent', 'data', 'people', 'settings', 'jobs'],
    ['drizzle-orm', 'hono', 'zod/mini'],
  ),
  'platform/embed': platform([...routes, 'models', 'people', 'settings'], ['drizzle-orm', 'hono']),
  'platform/content': platform(
    [...routes, 'jobs', 'embed', 'models', 'settings', 'agent', 'data'],
    [...tables, 'hono', 'zod/mini'],
    ['report', 'charts/view'],
  ),
  'platform/chat': platform(
    [...routes, 'embed', 'people', 'settings', 'agent', 'data'],
    [...tables, 'ai', 'hono', 'hono/accepts', 'zod/mini'],
  ),
  'platform/mcp': platform(
    [...routes, 'agent', 'content', 'data'],
    ['@modelcontextprotocol/server', 'hono', 'zod/mini'],
  ),
  'platform/delivery': platform(
    [...routes, 'jobs', 'content', 'embed', 'models', 'people', 'settings'],
    ['croner', ...tables, 'hono', 'hono/html', 'nodemailer'],
    ['report', 'render'],
  ),
  platform: platform(
    [
      ...routes,
      'jobs',
      'data',
      'agent',
      'settings',
      'people',
      'models',
      'embed',
      'content',
      'chat',
      'mcp',
      'delivery',
      'usage',
    ],
    ['drizzle-orm', 'hono', 'pg', 'prom-client'],
    ['client', 'content', 'render'],
  ),
  content: {
    areas: ['contract', 'client', 'platform/data'],
    packages: ['yaml'],
    node: true,
    globals: node,
  },
  cli: {
    areas: [
      'contract',
      'client',
      'content',
      'platform',
      'platform/db',
      'platform/data',
      'platform/http',
      'platform/errors',
      'platform/runtime',
    ],
    packages: ['@hono/node-server'],
    node: true,
    globals: node,
  },
  testing: {
    areas: ['contract', 'content', 'node', 'platform'],
    packages: [],
    globals: only('AbortController', 'crypto', 'fetch', 'Request'),
  },
  frameworks: {
    areas: ['client:types', 'contract:types', 'controllers', 'elements'],
    packages: ['lit', 'react', 'svelte/elements', 'vue'],
    globals: page,
  },
  index: { areas: ['elements', 'client', 'contract:types', 'report:types'], packages: [], globals: only() },
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

interface GlobalUse {
  readonly from: string;
  readonly name: string;
}

interface Module {
  readonly from: string;
  readonly file: ts.SourceFile;
}

function readModule(path: string): Module {
  const from = relative(source, path).split(sep).join('/');
  return { from, file: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true) };
}

/**
 * Returns the globals that a module uses at run time. Ignores types, which are erased, and `typeof name`, which only
 * checks whether the global exists.
 */
function globalsOf({ from, file }: Module): GlobalUse[] {
  const bound = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isHeritageClause(node)) {
      // The names after `implements` are types.
      if (node.token === ts.SyntaxKind.ExtendsKeyword) for (const type of node.types) visit(type.expression);
    } else if (ts.isIdentifier(node)) {
      const role = roleOf(node);
      if (role === 'use') used.add(node.text);
      if (role === 'binding') bound.add(node.text);
    } else if (!isErased(node)) {
      if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'globalThis') used.add(node.name.text);
      ts.forEachChild(node, visit);
    }
  };
  visit(file);
  return [...used].filter(name => !bound.has(name) && !language.has(name)).map(name => ({ from, name }));
}

function isErased(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isModuleDeclaration(node) || ts.isExportDeclaration(node)) return true;
  return ts.isTypeOfExpression(node) && ts.isIdentifier(node.expression);
}

/** Returns the role of an identifier: whether it uses a name, declares a name of the module, or names a property. */
function roleOf(node: ts.Identifier): 'use' | 'binding' | 'property' {
  const { parent } = node;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return 'property';
  if (ts.isImportSpecifier(parent)) return 'binding';
  if (ts.isShorthandPropertyAssignment(parent) || !('name' in parent) || parent.name !== node) return 'use';
  return ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isClassElement(parent)
    ? 'property'
    : 'binding';
}

function globalViolation({ from, name }: GlobalUse): string | null {
  return borders[areaOf(from)]?.globals(name) ? null : `${from} uses ${name}`;
}

function importsOf({ from, file }: Module): Import[] {
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

/**
 * Returns the area of a module. The modules of charts that require a page are in the area `charts/mount`, all others in
 * `charts/view`. The folders of `platform` are areas. The messages of elements are a separate area, because servers
 * also use them.
 */
function areaOf(path: string): string {
  const [area = '', module = '', inside] = path.split('/');
  if (!path.includes('/')) return path.replace(/\.ts$/, '');
  if (area === 'platform') return inside || module === 'errors.ts' ? `platform/${module.replace(/\.ts$/, '')}` : area;
  if (isMessages(path)) return 'messages';
  if (area === 'charts') return ['mount.ts', 'hover.ts'].includes(module) ? 'charts/mount' : 'charts/view';
  return area;
}

function isMessages(path: string): boolean {
  if (path.startsWith('elements/messages/')) return !/-catalog\.ts$/.test(path);
  return /^elements\/.+-messages\.ts$/.test(path);
}

const target = (entry: Import): string =>
  normalize(join(dirname(entry.from), entry.specifier))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '.ts');
const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/**
 * Whether a rule allows an area. `charts` allows both areas of charts; every other name allows only the area with that
 * name.
 */
const allows = (rule: string, to: string): boolean => rule === to || (rule === 'charts' && to.startsWith('charts/'));

function isAreaAllowed(border: Border, to: string, entry: Import): boolean {
  return border.areas.some(rule => {
    const [area, only] = rule.split(':');
    if (only === 'types' && !entry.typeOnly) return false;
    return area !== undefined && allows(area, to);
  });
}

function violation(entry: Import): string | null {
  const area = areaOf(entry.from);
  const border = borders[area];
  if (!border) return `${entry.from}: no area of this name`;
  const complaint = `${entry.from} imports ${entry.specifier}`;
  if (entry.specifier.startsWith('.')) {
    const to = areaOf(target(entry));
    if (target(entry) === 'contract/messages.ts')
      return ['node', 'platform', 'content', 'cli'].includes(area.split('/')[0] ?? '') ? null : complaint;
    return to === area || isAreaAllowed(border, to, entry) ? null : complaint;
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

/**
 * Returns the modules that are loaded with a module: those that it imports statically, except for types, and the
 * modules that these import.
 */
function reachable(from: string, imports: readonly Import[], seen: readonly string[] = []): readonly string[] {
  if (seen.includes(from)) return seen;
  const next = imports.filter(i => i.from === from && i.specifier.startsWith('.') && !i.typeOnly && !i.dynamic);
  return next.reduce<readonly string[]>((known, entry) => reachable(target(entry), imports, known), [...seen, from]);
}

describe('architecture', () => {
  const files = sourceFiles(source).map(readModule);
  const imports = files.flatMap(importsOf);

  it('finds the sources', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it('keeps every import inside the table of who may import whom', () => {
    expect(imports.map(violation).filter(Boolean)).toEqual([]);
  });

  it('keeps every use of a global inside the table of what an area may use', () => {
    expect(files.flatMap(globalsOf).map(globalViolation).filter(Boolean)).toEqual([]);
  });

  it('loads vega only by dynamic import, except in modules that are loaded dynamically themselves', () => {
    const eager = imports.filter(i => i.specifier.startsWith('vega') && !i.dynamic && !i.typeOnly).map(i => i.from);
    const lazy = new Set(imports.filter(i => i.dynamic && i.specifier.startsWith('.')).map(target));
    // Replaces a package in the chunk of Vega (see `vite.config.ts`).
    lazy.add('charts/vega-expressions.ts');
    expect(eager.filter(from => !lazy.has(from) && !reachableOnlyFrom(lazy, from, imports))).toEqual([]);
  });

  it('leaves what checks a request out of what a page loads with its session', () => {
    const sources = new Set(files.map(({ from }) => from));
    const existing = (path: string): string => {
      expect(sources, `${path} does not exist`).toContain(path);
      return path;
    };
    const loaded = reachable(existing('client/session/session-services.ts'), imports);
    expect(loaded).toContain(existing('contract/data.ts'));
    for (const requests of ['query', 'embed-grant', 'dashboard-input']) {
      expect(loaded).not.toContain(existing(`contract/${requests}.ts`));
    }
  });

  it('imports only dependencies of pa-embed for commands that call a platform', () => {
    const manifest: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(source, '../package.json'), 'utf8'),
    );
    const isDependency = (specifier: string) =>
      Object.keys(manifest.dependencies).some(name => specifier.startsWith(name));
    for (const command of ['pa-platform', 'apply', 'export', 'key']) {
      const loaded = reachable(`cli/${command}.ts`, imports);
      const packages = imports.filter(
        ({ from, specifier, typeOnly, dynamic }) =>
          loaded.includes(from) && !typeOnly && !dynamic && !/^(\.|node:)/.test(specifier),
      );
      expect(packages.filter(({ specifier }) => !isDependency(specifier)).map(each => each.specifier)).toEqual([]);
      expect(loaded.length).toBeGreaterThan(5);
    }
  });

  it('has no import cycle', () => {
    const graph = new Map<string, string[]>();
    for (const entry of imports) {
      if (!entry.specifier.startsWith('.') || entry.dynamic) continue;
      graph.set(entry.from, [...(graph.get(entry.from) ?? []), target(entry)]);
    }
    expect(findCycle(graph)).toBeNull();
  });

  it('has no cycle of areas, type imports and dynamic imports included', () => {
    const graph = new Map<string, string[]>();
    for (const entry of imports) {
      if (!entry.specifier.startsWith('.')) continue;
      const [from, to] = [areaOf(entry.from), areaOf(target(entry))];
      if (from !== to) graph.set(from, [...(graph.get(from) ?? []), to]);
    }
    expect(graph.size).toBeGreaterThan(20);
    expect(findCycle(graph)).toBeNull();
  });

  it('lists no area and no package that its area does not import', () => {
    const shared = ['contract', 'platform/errors', 'platform/runtime'];
    const unused = Object.entries(borders).flatMap(([area, border]) => {
      const entries = imports.filter(({ from }) => areaOf(from) === area);
      const isImported = (to: string) => entries.some(entry => allows(to, areaOf(target(entry))));
      const areas = border.areas
        .map(rule => rule.split(':')[0] ?? '')
        .filter(to => !shared.includes(to) && !isImported(to));
      const packages = border.packages.filter(pattern => !entries.some(({ specifier }) => matches(specifier, pattern)));
      return [...areas, ...packages].map(each => `${area}: ${each}`);
    });
    expect(unused).toEqual([]);
  });

  it('reports a forbidden global', () => {
    const violationsIn = (from: string, text: string) =>
      globalsOf({ from, file: ts.createSourceFile(from, text, ts.ScriptTarget.Latest, true) }).map(globalViolation);
    expect(violationsIn('report/a.ts', 'export const a = document.title;')).toEqual(['report/a.ts uses document']);
    expect(violationsIn('contract/a.ts', 'export class A extends EventTarget {}')).toEqual([
      'contract/a.ts uses EventTarget',
    ]);
    expect(violationsIn('contract/a.ts', 'interface A {} export class B implements A {}')).toEqual([]);
    expect(violationsIn('client/a.ts', 'globalThis.localStorage.clear();')).toEqual(['client/a.ts uses localStorage']);
    expect(violationsIn('elements/a/a.ts', "void fetch('/'); void { Buffer };")).toEqual([
      'elements/a/a.ts uses fetch',
      'elements/a/a.ts uses Buffer',
    ]);
    expect(violationsIn('report/a.ts', 'const a: Element | null = null; const b = { name: a }; void b.name;')).toEqual(
      [],
    );
  });

  it('reports a forbidden import and a cycle', () => {
    const bad = { from: 'client/http/request.ts', specifier: 'lit', typeOnly: true, dynamic: false };
    expect(violation(bad)).toBe('client/http/request.ts imports lit');
    expect(violation({ ...bad, from: 'elements/a/a.ts', specifier: '../../client/data.js' })).toContain('client/data');
    const upward = { ...bad, from: 'platform/data/model/a.ts', specifier: '../../content/content-access.js' };
    expect(violation(upward)).toContain('content/content-access');
    expect(violation({ ...upward, specifier: '../../auth/principal.js' })).toBeNull();
    expect(violation({ ...upward, from: 'platform/settings/a.ts', specifier: 'pg' })).toBe(
      'platform/settings/a.ts imports pg',
    );
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
