import { describe, expect, it } from 'vitest';
import type { AppConfig } from '../../../src/contract/app-config.js';
import { schemeOf, type ThemeSources, themeTokens } from '../../../src/report/theme/theme.js';
import fc, { casesAtDepth } from '../../property.js';

const none: ThemeSources = { element: null, session: null, dashboard: null, account: null };
const tokensOf = (sources: Partial<ThemeSources>) => Object.fromEntries(themeTokens({ ...none, ...sources }));
const account = (appTheme: Record<string, unknown>, applyThemeGlobally = true): AppConfig => ({
  appTheme,
  applyThemeGlobally,
  restrictDataDownload: false,
  sheetsAgentChatEnabled: false,
});

describe('a theme', () => {
  it('sets no tokens if there is none', () => {
    expect(tokensOf({})).toEqual({});
    expect(tokensOf({ dashboard: {}, session: {}, element: 'dark', account: account({}) })).toEqual({});
  });

  it('reads every key of a dashboard theme', () => {
    const border = { color: '#123', radius: '4px', style: 'dashed', width: '2px' };
    const title = { color: 'teal', fontFamily: 'Georgia, serif', fontSize: '1.2rem', fontWeight: '500' };
    const dashboard = {
      themeId: 'ours',
      backgroundColor: '#eee',
      fontFamily: '"Open Sans", sans-serif',
      primaryColor: 'rgb(10 20 30 / 50%)',
      dashboard: { backgroundColor: '#fafafa', padding: '8px 16px' },
      widgets: {
        backgroundColor: 'white',
        padding: '12px',
        margin: '0 4px',
        border,
        title,
        text: { color: '#222', secondaryColor: '#555', codeFontFamily: 'monospace' },
      },
      controls: { backgroundColor: '#fff', padding: '0 8px', border, title },
    };
    expect(tokensOf({ dashboard })).toEqual({
      background: '#fafafa',
      font: '"Open Sans", sans-serif',
      accent: 'rgb(10 20 30 / 50%)',
      'series-1': 'rgb(10 20 30 / 50%)',
      'dashboard-padding': '8px 16px',
      surface: 'white',
      'tile-padding': '12px',
      'tile-margin': '0 4px',
      'tile-border-color': '#123',
      radius: '4px',
      'tile-border-style': 'dashed',
      'tile-border-width': '2px',
      'title-color': 'teal',
      'title-font': 'Georgia, serif',
      'title-size': '1.2rem',
      'title-weight': '500',
      text: '#222',
      muted: '#555',
      'code-font': 'monospace',
      'control-surface': '#fff',
      'control-padding': '0 8px',
      control: '#123',
      'control-radius': '4px',
      'chip-radius': '4px',
      'control-border-style': 'dashed',
      'control-border-width': '2px',
      'control-title-color': 'teal',
      'control-title-font': 'Georgia, serif',
      'control-title-size': '1.2rem',
      'control-title-weight': '500',
    });
  });

  it('takes each token from the first source that sets it: element, session, dashboard, account', () => {
    const appTheme = { palette: { accent: { color: '#000001' }, themes: { danger: { hue: 10, saturation: 80 } } } };
    const dashboard = { primaryColor: '#000002', fontFamily: 'B', widgets: { backgroundColor: '#fff' } };
    const session = { primaryColor: '#000003', font: 'C' };
    expect(tokensOf({ account: account(appTheme) })).toMatchObject({ accent: '#000001', danger: 'hsl(10 80% 45%)' });
    expect(tokensOf({ account: account(appTheme), dashboard })).toMatchObject({ accent: '#000002', font: 'B' });
    const both = { account: account(appTheme), dashboard, session };
    expect(tokensOf(both)).toMatchObject({ accent: '#000003', font: 'C', surface: '#fff', danger: 'hsl(10 80% 45%)' });
    const element = { primaryColor: '#000004' };
    expect(tokensOf({ ...both, element })).toMatchObject({ accent: '#000004', font: 'C', surface: '#fff' });
  });

  it('ignores an account theme that does not apply globally', () => {
    expect(tokensOf({ account: account({ palette: { accent: { color: 'red' } } }, false) })).toEqual({});
  });

  it('reads the older form of an account theme, and fonts by name', () => {
    const appTheme = {
      light: { accentColor: '#111' },
      dark: { accentColor: '#eee' },
      typography: {
        body: { fontRef: 'f1', fontWeight: 400 },
        heading: { fontRef: 'f2', fontWeight: 600 },
        fonts: [
          { id: 'f1', family: 'Inter', url: 'https://elsewhere.example/inter.woff2' },
          { id: 'f2', name: 'url(x)', url: '' },
        ],
      },
    };
    expect(tokensOf({ account: account(appTheme) })).toEqual({
      accent: 'light-dark(#111, #eee)',
      'series-1': 'light-dark(#111, #eee)',
      font: 'Inter',
    });
  });

  it.each([
    'url(https://elsewhere.example/a.png)',
    'var(--pa-text)',
    'red; background: url(x)',
    'red}body{display:none',
    'image-set("a" 1x)',
    'attr(title)',
    'env(x)',
    'expression(alert(1))',
    'rgb(url(x))',
    'color-mix(in srgb, red, blue)',
    'inherit',
    '#12345',
    '\\72 ed',
    'red/**/',
    '<script>',
    '',
    'x'.repeat(300),
  ])('rejects %j as a color', value => {
    expect(tokensOf({ dashboard: { primaryColor: value, widgets: { text: { color: value } } } })).toEqual({});
  });

  it.each([['"a";}'], ['"url(x)"'], ["'a\\27'"], ['a, b; c'], ['@import "x"'], ['"unclosed'], ['a,,b']])(
    'rejects %j as a font',
    value => {
      expect(tokensOf({ dashboard: { fontFamily: value } })).toEqual({});
    },
  );

  it.each(['9999px', '-4px', '1 2 3 4 5', 'calc(1px + 2px)', '100vw', '201px', 'auto', '60%', '1px;'])(
    'rejects %j as a padding',
    value => {
      expect(tokensOf({ dashboard: { widgets: { padding: value } } })).toEqual({});
    },
  );

  it('accepts only colors that the browser supports', () => {
    const dashboard = { primaryColor: 'reddish', backgroundColor: 'red' };
    const tokens = themeTokens({ ...none, dashboard }, (_property, value) => value === 'red');
    expect([...tokens]).toEqual([['background', 'red']]);
  });

  it('never returns a value that CSS could parse as several values', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'#ab1 (),%"\'/.-;{}\\:urlvarpx@') }));
    fc.assert(
      fc.property(text, value => {
        const title = { color: value, fontFamily: value, fontSize: value, fontWeight: value };
        const border = { color: value, radius: value, style: value, width: value };
        const section = { backgroundColor: value, padding: value, margin: value, border, title };
        const dashboard = { backgroundColor: value, fontFamily: value, primaryColor: value, widgets: section };
        for (const found of themeTokens({ ...none, dashboard, element: { controls: section } }).values()) {
          expect(found).not.toMatch(/[;{}\\@:]|url|var|\/\*/i);
          expect(found.split('"').length % 2).toBe(1);
          expect(found.split("'").length % 2).toBe(1);
        }
      }),
      { numRuns: casesAtDepth(2_000) },
    );
  });

  it('ignores invalid themes', () => {
    const odd: unknown[] = [
      null,
      7,
      [],
      'x',
      { widgets: 3 },
      { widgets: { border: [] } },
      JSON.parse('{"__proto__": {"primaryColor": "red"}}'),
    ];
    for (const dashboard of odd) expect(tokensOf({ dashboard, session: dashboard, element: dashboard })).toEqual({});
    expect(tokensOf({ dashboard: Object.create({ primaryColor: 'red' }) })).toEqual({});
  });
});

describe('the scheme of a theme', () => {
  it.each([
    ['#fff', 'light'],
    ['#101418', 'dark'],
    ['rgb(20, 20, 30)', 'dark'],
    ['rgba(250 250 250 / 0.9)', 'light'],
    ['black', 'dark'],
    ['hsl(0 0% 10%)', null],
    ['rebeccapurple', null],
  ])('of tiles in %s is %s', (backgroundColor, scheme) => {
    expect(schemeOf(themeTokens({ ...none, dashboard: { widgets: { backgroundColor } } }))).toBe(scheme);
  });

  it('depends on the background if tiles have no color', () => {
    expect(schemeOf(themeTokens({ ...none, dashboard: { backgroundColor: '#000' } }))).toBe('dark');
    expect(schemeOf(themeTokens({ ...none, dashboard: { primaryColor: '#000' } }))).toBeNull();
  });
});
