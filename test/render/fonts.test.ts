import Module from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import type { Dashboard, DashboardWidget } from '../../src/contract/dashboards.js';
import { renderDashboard } from '../../src/node/index.js';
import { openFonts } from '../../src/render/fonts.js';
import { renderPng } from '../../src/render/png.js';
import { element } from '../../src/scene/svg-element.js';
import { readPng } from './read-png.js';

/** Returns the share of the dark pixels of a text. */
async function ink(text: string, weight: 400 | 600): Promise<number> {
  const fonts = await openFonts();
  const [width, height] = [300, 40];
  const line = element('text', { x: 10, y: 28, 'font-size': 24, 'font-weight': weight }, [
    fonts.drawable(text, weight),
  ]);
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', width, height, 'font-family': 'Noto Sans' };
  const background = element('rect', { width, height, fill: '#fff' });
  const image = readPng(await renderPng(element('svg', attributes, [background, line]), fonts, 2));
  let dark = 0;
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) if (image.at(x, y)[0] < 128) dark += 1;
  }
  return dark / (image.width * image.height);
}

type Resolve = (request: string, ...others: unknown[]) => string;
const resolver = Module as unknown as { _resolveFilename: Resolve };
const { _resolveFilename: resolve } = resolver;

/** Makes a package look as if it were not installed. */
function remove(packageName: string): void {
  resolver._resolveFilename = (request, ...others) => {
    if (!request.startsWith(`${packageName}/`)) return resolve(request, ...others);
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
  };
}

const text: DashboardWidget = {
  id: 'text',
  type: 'TEXT',
  position: { x: 0, y: 0, w: 12, h: 4 },
  config: { markdown: 'Sales 売上 مبيعات' },
};
const dashboard: Dashboard = {
  allowEmbed: true,
  config: { widgets: [text] },
  deploymentId: 1,
  id: 1,
  publicId: 'AbCdEfGhIjKl',
  reportSnapshots: [],
  status: 'published',
  versionId: 1,
  versionNumber: 1,
  workbookId: 1,
  title: 'Shop',
};
const render = () =>
  renderDashboard({ dashboard, load: () => Promise.reject(new Error('no rows')), output: 'svg', locale: 'en' });

afterEach(() => {
  resolver._resolveFilename = resolve;
});

describe('the fonts of a file', () => {
  it.each([
    ['Latin', 'Average delay'],
    ['Arabic', 'متوسط التأخير'],
    ['Japanese', '平均遅延時間'],
    ['Latin and Arabic', 'delay التأخير'],
    ['Latin and Japanese', '平均 delay'],
  ])('draw semibold %s text bolder than regular text', async (_script, words) => {
    const [regular, semibold] = [await ink(words, 400), await ink(words, 600)];
    expect(regular).toBeGreaterThan(0.01);
    expect(semibold / regular).toBeGreaterThan(1.12);
  });

  it('draw text in three scripts', async () => {
    expect(await ink('平均 delay التأخير', 600)).toBeGreaterThan(0.02);
  });

  it('replace the characters of a family that is not installed, and the file names them', async () => {
    remove('@expo-google-fonts/noto-sans-jp');
    const { content } = await render();
    expect(content).toContain('Sales \ufffd\ufffd');
    expect(content).toContain('U+58F2');
    expect(content).toContain('مبيعات');
  });

  it('reject a file without the main family, and say which package to install', async () => {
    remove('@expo-google-fonts/noto-sans');
    await expect(render()).rejects.toThrow(
      /^The renderer needs the package @expo-google-fonts\/noto-sans, which is not installed\. Run: npm install pa-embed-platform@/,
    );
  });
});
