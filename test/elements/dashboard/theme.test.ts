import { expect } from '@open-wc/testing';
import type { Dashboard } from '../../../src/contract/dashboards.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, snapshot } from '../fake-session.js';
import { dashboardPage, tilesOf } from './dashboard-page.js';

const plain = dashboard([chartWidget(0)], [snapshot(0)]);
const withTheme = (theme: Record<string, unknown>): Dashboard => ({ ...plain, config: { ...plain.config, theme } });
const tileFrame = (element: PaDashboard): HTMLElement | null =>
  tilesOf(element)[0]?.renderRoot.querySelector<HTMLElement>('[part="tile"]') ?? null;
const waitForTileStyle = async (element: PaDashboard): Promise<CSSStyleDeclaration> => {
  await eventually(() => {
    const tile = tileFrame(element);
    return tile && getComputedStyle(tile).visibility === 'visible';
  });
  const found = tileFrame(element);
  if (!found) throw new Error('no tile');
  return getComputedStyle(found);
};

describe('dashboard theme', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  it('applies to the tiles on first render', async () => {
    const theme = {
      dashboard: { backgroundColor: '#faf0e6', padding: '10px 20px' },
      widgets: {
        backgroundColor: '#fffff0',
        padding: '5px',
        margin: '3px',
        border: { color: 'rgb(1, 2, 3)', radius: '2px', style: 'dashed', width: '3px' },
        title: { color: 'rgb(4, 5, 6)', fontFamily: 'Georgia', fontSize: '18px', fontWeight: '700' },
      },
    };
    const { element } = await dashboardPage(withTheme(theme));
    const style = await waitForTileStyle(element);
    expect(getComputedStyle(element).backgroundColor).to.equal('rgb(250, 240, 230)');
    expect(getComputedStyle(element).padding).to.equal('10px 20px');
    expect(style.backgroundColor).to.equal('rgb(255, 255, 240)');
    expect(style.padding).to.equal('5px');
    expect(style.border).to.equal('3px dashed rgb(1, 2, 3)');
    expect(style.borderRadius).to.equal('2px');
    const title = tilesOf(element)[0]?.renderRoot.querySelector('h3');
    const { color, font } = title ? getComputedStyle(title) : style;
    expect(color).to.equal('rgb(4, 5, 6)');
    expect(font).to.match(/^700 18px \/ 28\.\d+px Georgia$/);
    expect(element.hasAttribute('style')).to.equal(false);
  });

  it('has lower precedence than page styles, the element theme and the session theme', async () => {
    const { element } = await dashboardPage(
      withTheme({ primaryColor: '#010101', widgets: { backgroundColor: '#020202', title: { color: '#030303' } } }),
      ({ element: given, session, parent }) => {
        session.embedTheme = { primaryColor: '#111111', font: 'Courier' };
        given.theme = { widgets: { title: { color: '#222222' } } };
        parent.style.setProperty('--pa-surface', '#333333');
      },
    );
    const style = await waitForTileStyle(element);
    const token = (name: string) => getComputedStyle(element).getPropertyValue(name);
    expect(style.backgroundColor).to.equal('rgb(51, 51, 51)');
    expect([token('--_accent'), token('--_title-color'), token('--_font')]).to.deep.equal([
      '#111111',
      '#222222',
      'Courier',
    ]);
  });

  it('changes and disappears with the element theme', async () => {
    const { element } = await dashboardPage(plain);
    const style = await waitForTileStyle(element);
    const before = style.backgroundColor;
    const sheets = element.shadowRoot?.adoptedStyleSheets.length ?? 0;
    element.theme = { widgets: { backgroundColor: '#123456' } };
    await eventually(() => style.backgroundColor === 'rgb(18, 52, 86)');
    expect(style.visibility).to.equal('visible');
    element.theme = { widgets: { backgroundColor: 'url(x)' } };
    await element.updateComplete;
    expect(style.backgroundColor).to.equal(before);
    expect(element.shadowRoot?.adoptedStyleSheets.length).to.equal(sheets + 1);
  });

  it('keeps text readable on dark tiles, regardless of the page color scheme', async () => {
    const { element } = await dashboardPage(withTheme({ widgets: { backgroundColor: '#101010' } }));
    const style = await waitForTileStyle(element);
    const [red = 0] = style.color.match(/\d+/g)?.map(Number) ?? [];
    expect(red).to.be.greaterThan(200);
  });

  it('uses the account theme when it arrives, if it applies globally', async () => {
    const { element } = await dashboardPage(plain, ({ session }) => {
      session.appConfig = async () => ({
        appTheme: { palette: { accent: { color: 'rgb(7, 8, 9)' } } },
        applyThemeGlobally: true,
        restrictDataDownload: false,
        sheetsAgentChatEnabled: false,
      });
    });
    await eventually(() => getComputedStyle(element).getPropertyValue('--_accent') === 'rgb(7, 8, 9)');
  });

  it('adds no rules if no theme is set', async () => {
    const { element } = await dashboardPage(plain);
    await waitForTileStyle(element);
    expect(getComputedStyle(element).backgroundColor).to.equal('rgba(0, 0, 0, 0)');
    expect(
      [...(element.shadowRoot?.adoptedStyleSheets ?? [])].some(sheet => sheet.cssRules[0]?.cssText === ':host { }'),
    ).to.equal(false);
  });
});
