import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../site/api-families.js';
import { buildSite, readSite, type Site, siteFolder } from '../../site/build.js';
import { readContractComments } from '../../site/contract-comments.js';
import { publicElements, readElementPages, readManifest } from '../../site/elements.js';
import { root } from '../../site/source-files.js';

/** Properties of a page that the tests check. */
interface BuiltPage {
  readonly file: string;
  readonly ids: string[];
  readonly links: string[];
  /** Number of elements by name. */
  readonly counts: Record<string, number>;
  /** Attributes and elements that a strict content security policy blocks. */
  readonly inline: string[];
  readonly language: string;
  readonly title: string;
}

function readPage(file: string): BuiltPage {
  const page = { file, ids: [], links: [], counts: {}, inline: [] } as Omit<BuiltPage, 'language' | 'title'>;
  let [language, title, open] = ['', '', ''];
  // Skips templates, which contain the source of live examples.
  let isInert = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      open = name;
      if (name === 'template') isInert = true;
      if (isInert) return;
      page.counts[name] = (page.counts[name] ?? 0) + 1;
      if (attributes.id) page.ids.push(attributes.id);
      if (name === 'html') language = attributes.lang ?? '';
      const link = attributes.href ?? attributes.src;
      if (link !== undefined) page.links.push(link);
      const blocked = Object.keys(attributes).filter(each => each === 'style' || each.startsWith('on'));
      page.inline.push(...blocked.map(each => `${name} ${each}`));
      if (name === 'style' || (name === 'script' && !attributes.src)) page.inline.push(name);
      if (name === 'img' && !attributes.alt) page.inline.push('img without alt');
    },
    ontext(text) {
      if (open === 'title') title += text;
    },
    onclosetag(name) {
      open = '';
      if (name === 'template') isInert = false;
    },
  });
  parser.end(readFileSync(join(siteFolder, file), 'utf8'));
  return { ...page, language, title };
}

let site: Site;
let pages: Map<string, BuiltPage>;
beforeAll(async () => {
  site = readSite();
  await buildSite(site);
  const files = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.html'));
  pages = new Map(files.map(file => [file, readPage(file)]));
}, 120_000);

/** Returns the problems of all pages, each with its page. */
const problems = (find: (page: BuiltPage) => readonly string[]): string[] =>
  [...pages.values()].flatMap(page => find(page).map(problem => `${page.file}: ${problem}`));

describe('the documentation site', () => {
  it('has a page for each file of docs/, for each public element and for each operation', () => {
    const documented = new Set(site.guides.map(({ file }) => file));
    const files = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'));
    expect(files.filter(name => !documented.has(`docs/${name}`))).toEqual([]);
    expect(site.elements.map(({ tag }) => tag)).toEqual(publicElements);
    expect(site.api.operations.map(({ id }) => id).sort()).toEqual(
      [...readContractComments().operations.keys()].sort(),
    );
    const urls = [...site.guides, ...site.elements, ...site.api.operations, ...site.api.schemas].map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.filter(url => !pages.has(`${url.slice(1)}index.html`))).toEqual([]);
  });

  it('has no dead link or anchor', () => {
    const dead = problems(({ file, links }) =>
      links.filter(link => {
        if (/^https?:/.test(link)) return false;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : join(dirname(file), path.endsWith('/') ? `${path}index.html` : path);
        if (anchor === undefined) return !existsSync(join(siteFolder, target));
        return !pages.get(target)?.ids.includes(anchor);
      }),
    );
    expect(dead).toEqual([]);
  });

  it('uses relative links only, so that any path can serve it', () => {
    expect(problems(({ links }) => links.filter(link => link.startsWith('/')))).toEqual([]);
  });

  it('has one title, heading and main landmark per page, and unique ids', () => {
    const wrong = problems(({ counts, ids, language, title }) => [
      ...(counts.h1 === 1 ? [] : [`${counts.h1 ?? 0} h1`]),
      ...(counts.main === 1 ? [] : [`${counts.main ?? 0} main`]),
      ...(language === 'en' ? [] : ['no language']),
      ...(title === '' ? ['no title'] : []),
      ...ids.filter((id, index) => ids.indexOf(id) !== index),
    ]);
    expect(wrong).toEqual([]);
  });

  it('contains nothing that a strict content security policy blocks', () => {
    expect(problems(({ inline }) => inline)).toEqual([]);
  });

  it('names only pages and headings that exist in its search index', () => {
    const index = JSON.parse(readFileSync(join(siteFolder, 'search.json'), 'utf8')) as { u: string }[];
    expect(index.length).toBeGreaterThan(500);
    const dead = index.filter(({ u }) => {
      const [path = '', anchor] = u.split('#');
      const page = pages.get(`${path}index.html`);
      return !page || (anchor !== undefined && !page.ids.includes(anchor));
    });
    expect(dead).toEqual([]);
  });
});

describe('the API reference', () => {
  it('shows bodies that the operations accept', () => {
    const bodies = new Map(site.api.operations.map(({ id, sample }) => [id, sample]));
    const rejected = families
      .flatMap(({ operations }) => operations)
      .flatMap(({ id, body }) => {
        const result = body?.safeParse(bodies.get(id));
        return result?.error ? [`${id}: ${JSON.stringify(result.error.issues)}`] : [];
      });
    expect(rejected).toEqual([]);
  });

  it('does not refer to the specification', () => {
    const texts = [...site.api.operations, ...site.api.schemas].map(({ url, html }) => `${url} ${html}`);
    expect(texts.filter(text => /\bspec \d|operations document|\.md\b/.test(text))).toEqual([]);
  });
});

describe('the pages of elements', () => {
  it('reject a public member without a description', () => {
    const manifest = structuredClone(readManifest());
    const chat = manifest.modules
      .flatMap(({ declarations = [] }) => declarations)
      .find(({ tagName }) => tagName === 'pa-chat');
    Object.assign(chat?.members?.find(({ name }) => name === 'send') ?? {}, { description: '' });
    expect(() => readElementPages(manifest)).toThrow('Describe the method send of <pa-chat> in its comment.');
  });
});
