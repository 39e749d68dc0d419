import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RenderedPage, renderMarkdown } from './markdown.js';
import { root } from './source-files.js';

/** A page from a Markdown file. */
export interface GuidePage extends RenderedPage {
  readonly url: string;
  /** Path of the file in the repository. */
  readonly file: string;
  /** Title of its group in the navigation. */
  readonly group: string;
}

/** Files of each group, in their order. Files of `docs/` that are not listed follow in the last group. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['README.md', 'docs/getting-started.md', 'docs/frameworks.md'],
  Elements: ['docs/elements.md', 'docs/dashboards.md', 'docs/apps.md', 'docs/building.md', 'docs/chat.md'],
  Data: ['docs/model.md', 'docs/deployments.md', 'docs/data-api.md', 'docs/sql.md', 'docs/mcp.md'],
  Platform: [
    'docs/platform-api.md',
    'docs/notifications.md',
    'docs/cli.md',
    'docs/deployment.md',
    'docs/rendering.md',
    'docs/scaling.md',
    'docs/jobs.md',
    'docs/security.md',
    'docs/troubleshooting.md',
    'docs/benchmarks.md',
  ],
  Project: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/README.md'],
};

/** Addresses that do not follow from the name of the file. */
const addresses: Readonly<Record<string, string>> = {
  'README.md': '/',
  'SECURITY.md': '/report-a-vulnerability/',
  'src/README.md': '/source-code/',
  'demo/screenshot.png': '/assets/screenshot.png',
};

/** Titles in the navigation that differ from the heading of the file. */
const titles: Readonly<Record<string, string>> = {
  'README.md': 'Overview',
  'SECURITY.md': 'Report a vulnerability',
  'src/README.md': 'Source code',
};

/** Reads all Markdown files of the site in the order of the navigation. */
export function readGuides(): GuidePage[] {
  const files = Object.entries(groups).flatMap(([group, paths]) => paths.map(file => ({ file, group })));
  for (const name of readdirSync(join(root, 'docs')).filter(each => each.endsWith('.md'))) {
    const file = `docs/${name}`;
    if (!files.some(each => each.file === file)) files.push({ file, group: 'Platform' });
  }
  const known = new Set(files.map(({ file }) => file));
  const addressOf = (path: string): string | null => {
    if (addresses[path] !== undefined) return addresses[path];
    return known.has(path)
      ? `/${path
          .replace(/^docs\//, '')
          .replace(/\.md$/, '')
          .toLowerCase()}/`
      : null;
  };
  return files.map(({ file, group }) => {
    const page = renderMarkdown(readFileSync(join(root, file), 'utf8'), file, addressOf);
    return { ...page, title: titles[file] ?? page.title, url: addressOf(file) ?? '/', file, group };
  });
}
