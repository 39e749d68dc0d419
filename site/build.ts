import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import Eleventy, { type UserConfig } from '@11ty/eleventy';
import { type ElementPage, readElementPages, readManifest } from './elements.js';
import { type GuidePage, readGuides } from './navigation.js';
import { type ApiReference, readApiReference, schemaUrl } from './operations.js';
import { searchEntries } from './search-entries.js';
import { root } from './source-files.js';

// Builds the documentation site to site/dist/: `npm run docs`. All links are relative, so that any path can serve it.

/** Folder of the built site. */
export const siteFolder = join(root, 'site/dist');

/** Data of all templates. */
export interface Site {
  readonly guides: readonly GuidePage[];
  readonly elements: readonly ElementPage[];
  readonly api: ApiReference;
}

/** A link to a page. */
interface PageLink {
  readonly url: string;
  readonly title: string;
}

/** Collects the content of all pages. */
export function readSite(): Site {
  return { guides: readGuides(), elements: readElementPages(readManifest()), api: readApiReference() };
}

/** Returns the groups of the navigation. The pages of the elements follow their guide. */
function navigationOf({ guides, elements }: Site): { title: string; pages: PageLink[] }[] {
  const titles = [...new Set(guides.map(({ group }) => group))];
  const groups = titles.map(title => ({
    title,
    pages: guides
      .filter(({ group }) => group === title)
      .flatMap(guide => {
        const page = { url: guide.url, title: guide.title };
        return guide.file === 'docs/elements.md' ? [page, ...elements.map(toElementLink)] : [page];
      }),
  }));
  const project = groups.pop();
  return [...groups, { title: 'API reference', pages: [] }, ...(project ? [project] : [])];
}

const toElementLink = ({ url, tag }: ElementPage): PageLink => ({ url, title: `<${tag}>` });

/** Data of a page that the layout shows in addition to its content. */
interface PageMeta {
  readonly title: string;
  readonly description: string;
  /** The current link of the header. */
  readonly area: 'guide' | 'element' | 'api';
  /** Headings of the table of contents. */
  readonly contents: readonly { readonly level: number; readonly id: string; readonly text: string }[];
  /** Address of the family whose operations the navigation lists. */
  readonly family?: string;
  readonly previous?: PageLink | undefined;
  readonly next?: PageLink | undefined;
}

/** Returns the layout data of each page, by address. */
function metasOf(site: Site): Record<string, PageMeta> {
  const { guides, elements, api } = site;
  const metas: [string, PageMeta][] = [
    ...guides.map(({ url, title, description, headings, group }): [string, PageMeta] => [
      url,
      {
        title: url === '/' ? 'pa-embed: embedded analytics' : title,
        description,
        area: group === 'Elements' ? 'element' : 'guide',
        contents: url === '/' ? [] : headings,
      },
    ]),
    ...elements.map(({ url, tag, summary, sections }): [string, PageMeta] => [
      url,
      {
        title: tag,
        description: summary,
        area: 'element',
        contents: [
          { level: 2, id: 'example', text: 'Example' },
          ...sections.map(({ id, title }) => ({ level: 2, id, text: title })),
        ],
      },
    ]),
    ...api.families.map(({ url, title, operations }): [string, PageMeta] => [
      url,
      apiMeta(title, `${operations.length} operations.`, url),
    ]),
    ...api.operations.map(({ url, title, summary, familyUrl }): [string, PageMeta] => [
      url,
      apiMeta(title, summary, familyUrl),
    ]),
    ...api.schemas.map(({ url, name }): [string, PageMeta] => [url, apiMeta(name, `The schema ${name}.`)]),
    ['/api/', apiMeta('API reference', 'All operations of the Platform, Data and Chat API.')],
    ['/api/schemas/', apiMeta('Schemas', 'All named schemas of the API.')],
  ];
  const neighbors = neighborsOf(site);
  return Object.fromEntries(metas.map(([url, meta]) => [url, { ...meta, ...neighbors.get(url) }]));
}

const apiMeta = (title: string, description: string, family = ''): PageMeta => ({
  title,
  description,
  area: 'api',
  contents: [],
  family,
});

/** Returns the previous and the next page by address. The guides come first, then the API reference. */
function neighborsOf(site: Site): Map<string, Pick<PageMeta, 'previous' | 'next'>> {
  const guides = navigationOf(site).flatMap(({ pages }) => pages);
  const operations = [
    { url: '/api/', title: 'API reference' },
    ...site.api.families.flatMap(family => [{ url: family.url, title: family.title }, ...family.operations]),
  ].map(({ url, title }) => ({ url, title }));
  return new Map(
    [guides, operations].flatMap(links =>
      links.map(({ url }, index) => [url, { previous: links[index - 1], next: links[index + 1] }] as const),
    ),
  );
}

/** Replaces addresses below the root of the site with relative ones. Quotes in text are escaped, so only tags match. */
function withRelativeLinks(html: string, pageUrl: string): string {
  const depth = pageUrl.split('/').length - 2;
  const up = depth === 0 ? './' : '../'.repeat(depth);
  return html.replace(/( (?:href|src)=")\/(?!\/)/g, `$1${up}`);
}

function configure(eleventyConfig: UserConfig, site: Site): void {
  const folder = relative(process.cwd(), join(root, 'site'));
  eleventyConfig.setIncludesDirectory('_includes');
  eleventyConfig.addPassthroughCopy({
    [join(folder, 'assets')]: 'assets',
    [join(folder, '../demo/screenshot.png')]: 'assets/screenshot.png',
  });
  for (const [name, value] of Object.entries({
    ...site,
    navigation: navigationOf(site),
    metas: metasOf(site),
  })) {
    eleventyConfig.addGlobalData(name, value);
  }
  eleventyConfig.addFilter('schemaUrl', schemaUrl);
  eleventyConfig.addTransform('relative-links', function (content) {
    return this.page.outputPath.endsWith('.html') ? withRelativeLinks(content, this.page.url) : content;
  });
}

/** Builds the site. */
export async function buildSite(site = readSite()): Promise<void> {
  rmSync(siteFolder, { recursive: true, force: true });
  const eleventy = new Eleventy(relative(process.cwd(), join(root, 'site/templates')), siteFolder, {
    quietMode: true,
    configPath: null,
    config: eleventyConfig => configure(eleventyConfig, site),
  });
  await eleventy.write();
  writeFileSync(join(siteFolder, 'search.json'), JSON.stringify(searchEntries(site)));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildSite();
