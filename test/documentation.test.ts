import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const exists = (path: string): boolean => existsSync(join(root, path));

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'src/README.md',
  ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`),
].filter(name => name.endsWith('.md'));

/** Returns the inline code outside of code blocks. */
function codeSpans(markdown: string): string[] {
  return [...markdown.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
}

/** Returns the anchors that GitHub gives to headings. */
function anchors(markdown: string): string[] {
  const headings = markdown.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const isPath = (text: string): boolean => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(text);

describe('src/README.md', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);
  const named = codeSpans(read('src/README.md')).filter(
    text =>
      isPath(text) &&
      (/\.(ts|mjs|js|css)$/.test(text) || text.endsWith('/') || folders.includes(text.split('/')[0] ?? '')) &&
      !/^(dist|pa-embed\.js$)/.test(text),
  );

  it('names paths that exist, relative to src/ or to the root', () => {
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(path => !exists(`src/${path}`) && !exists(path))).toEqual([]);
  });

  it('names each folder of src/ and of src/platform/', () => {
    const inPlatform = readdirSync(join(root, 'src/platform'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => `platform/${name}`);
    expect([...folders, ...inPlatform].filter(folder => !named.includes(`${folder}/`))).toEqual([]);
  });
});

describe('documentation', () => {
  it.each(pages)('%s names files that exist', page => {
    const markdown = read(page);
    const links = [...markdown.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
      join(dirname(page), target),
    );
    const spans = codeSpans(markdown).filter(text => isPath(text) && /^(src|test|demo|docs)\//.test(text));
    expect([...links, ...spans].filter(path => !exists(path))).toEqual([]);
  });

  it.each(pages)('%s links to headings that exist', page => {
    const links = [...read(page).matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)];
    const dead = links.filter(([, target = '', anchor = '']) => {
      const file = target === '' ? page : join(dirname(page), target);
      return !anchors(read(file)).includes(anchor);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it('shows the components of test/hosts/ unchanged', () => {
    const blocks = [...read('docs/frameworks.md').matchAll(/<!-- file: (\S+) -->\n```\w*\n([\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(7);
    expect(blocks.filter(([, file = '', text]) => read(file) !== text).map(([, file]) => file)).toEqual([]);
  });

  it('names scripts of package.json', () => {
    const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(read('package.json'));
    const text = ['CONTRIBUTING.md', 'src/README.md'].map(read).join('\n');
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });
});

describe('comments and configuration', () => {
  const files = ['src', 'test', 'demo'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  );
  const names = new Set([...files, ...readdirSync(root)].map(file => basename(file)));

  it('name modules that exist', () => {
    const missing = files
      .filter(file => /\.(ts|js|mjs)$/.test(file))
      .flatMap(file =>
        [...read(file).matchAll(/^ *(?:\*|\/\*\*|\/\/).*/gm)].flatMap(([comment]) =>
          [...comment.matchAll(/`(?:[\w.-]+\/)*([\w.-]+\.(?:ts|mjs))`/g)]
            .map(([, name = '']) => name)
            .filter(name => !names.has(name))
            .map(name => `${file}: ${name}`),
        ),
      );
    expect(missing).toEqual([]);
  });

  it('name folders and modules of vite.config.ts that exist', () => {
    const quoted = [...read('vite.config.ts').matchAll(/'((?:test|charts|report|platform)\/[\w/-]+)'/g)];
    const paths = quoted.map(([, path = '']) => (path.startsWith('test/') ? path : `src/${path}.ts`));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter(path => !exists(path))).toEqual([]);
  });
});
