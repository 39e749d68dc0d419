import type { AppConfig } from '../../contract/app-config.js';

interface TitleTheme {
  readonly color?: string;
  readonly fontFamily?: string;
  readonly fontSize?: string;
  readonly fontWeight?: string;
}

interface BorderTheme {
  readonly color?: string;
  readonly radius?: string;
  readonly style?: string;
  readonly width?: string;
}

/** Theme of a dashboard (`DashboardThemeInput`), with CSS values. `themeId` and unknown keys are ignored. */
export interface DashboardTheme {
  readonly backgroundColor?: string;
  readonly fontFamily?: string;
  /** Color of links, of the focus ring, and of the first chart series. */
  readonly primaryColor?: string;
  readonly dashboard?: { readonly backgroundColor?: string; readonly padding?: string };
  readonly widgets?: {
    readonly backgroundColor?: string;
    readonly padding?: string;
    readonly margin?: string;
    readonly border?: BorderTheme;
    readonly title?: TitleTheme;
    readonly text?: {
      readonly color?: string;
      readonly secondaryColor?: string;
      readonly fontFamily?: string;
      readonly codeFontFamily?: string;
    };
  };
  readonly controls?: {
    readonly backgroundColor?: string;
    readonly padding?: string;
    readonly border?: BorderTheme;
    readonly title?: TitleTheme;
  };
}

/** Sources of an element's theme in addition to the page. All of them are untrusted input. */
export interface ThemeSources {
  /** The element's `theme` property, with the keys of a dashboard theme. */
  readonly element: unknown;
  /** `embedTheme` of the session. */
  readonly session: unknown;
  /** `theme` of the dashboard's config. */
  readonly dashboard: unknown;
  /** Configuration of the account; its `appTheme` applies if `applyThemeGlobally` is set. */
  readonly account: AppConfig | null;
}

/** Values of tokens by name without `--pa-`, as CSS values. */
export type ThemeTokens = ReadonlyMap<string, string>;

/** Returns true if the browser supports a value of a property. */
export type Supports = (property: string, value: string) => boolean;

type Kind = 'color' | 'length' | 'lengths' | 'font' | 'weight' | 'line';

/** Token and kind of each key in a dashboard theme. If several keys set one token, the last one wins. */
const themeKeys: readonly (readonly [path: string, token: string, kind: Kind])[] = [
  ['backgroundColor', 'background', 'color'],
  ['fontFamily', 'font', 'font'],
  ['primaryColor', 'accent', 'color'],
  ['primaryColor', 'series-1', 'color'],
  ['dashboard.backgroundColor', 'background', 'color'],
  ['dashboard.padding', 'dashboard-padding', 'lengths'],
  ['widgets.backgroundColor', 'surface', 'color'],
  ['widgets.padding', 'tile-padding', 'lengths'],
  ['widgets.margin', 'tile-margin', 'lengths'],
  ['widgets.border.color', 'tile-border-color', 'color'],
  ['widgets.border.radius', 'radius', 'length'],
  ['widgets.border.style', 'tile-border-style', 'line'],
  ['widgets.border.width', 'tile-border-width', 'length'],
  ['widgets.title.color', 'title-color', 'color'],
  ['widgets.title.fontFamily', 'title-font', 'font'],
  ['widgets.title.fontSize', 'title-size', 'length'],
  ['widgets.title.fontWeight', 'title-weight', 'weight'],
  ['widgets.text.color', 'text', 'color'],
  ['widgets.text.secondaryColor', 'muted', 'color'],
  ['widgets.text.fontFamily', 'font', 'font'],
  ['widgets.text.codeFontFamily', 'code-font', 'font'],
  ['controls.backgroundColor', 'control-surface', 'color'],
  ['controls.padding', 'control-padding', 'lengths'],
  ['controls.border.color', 'control', 'color'],
  ['controls.border.radius', 'control-radius', 'length'],
  ['controls.border.radius', 'chip-radius', 'length'],
  ['controls.border.style', 'control-border-style', 'line'],
  ['controls.border.width', 'control-border-width', 'length'],
  ['controls.title.color', 'control-title-color', 'color'],
  ['controls.title.fontFamily', 'control-title-font', 'font'],
  ['controls.title.fontSize', 'control-title-size', 'length'],
  ['controls.title.fontWeight', 'control-title-weight', 'weight'],
];

/** Keys of a session theme; keys for chats do not affect dashboards. */
const sessionKeys: typeof themeKeys = [
  ['font', 'font', 'font'],
  ['primaryColor', 'accent', 'color'],
  ['primaryColor', 'series-1', 'color'],
];

/**
 * Computes the tokens of an element from all theme sources. For each token, the first source with a value wins: the
 * page's `--pa-*` properties (applied by CSS before all of these), the element's `theme`, the session's `embedTheme`,
 * the dashboard's `theme`, the account's `appTheme` if it applies globally, and the element's default.
 *
 * A value must be valid for its key: a color, lengths within limits, font names, a weight, or a line style. All other
 * values are ignored, including URLs, variables and lists of declarations.
 */
export function themeTokens(sources: ThemeSources, supports: Supports = () => true): ThemeTokens {
  const account = sources.account?.applyThemeGlobally === true ? sources.account.appTheme : null;
  return new Map([
    ...accountTokens(account, supports),
    ...tokensBy(themeKeys, sources.dashboard, supports),
    ...tokensBy(sessionKeys, sources.session, supports),
    ...tokensBy(themeKeys, sources.element, supports),
  ]);
}

/**
 * Returns the color scheme of a theme's tiles, so that unset colors are readable on them; `null` if it cannot be
 * determined.
 */
export function schemeOf(tokens: ThemeTokens): 'light' | 'dark' | null {
  const light = lightness(tokens.get('surface') ?? tokens.get('background') ?? '');
  if (light === null) return null;
  return light < 0.5 ? 'dark' : 'light';
}

function tokensBy(keys: typeof themeKeys, theme: unknown, supports: Supports): [string, string][] {
  return keys.flatMap(([path, token, kind]): [string, string][] => {
    const value = cssValue(kind, valueAt(theme, path), supports);
    return value === null ? [] : [[token, value]];
  });
}

/**
 * Returns the tokens of the account theme that affect an element on a host page: accent, danger and font. The
 * background colors of the page belong to the host. `light` and `dark` are the older form of `palette`.
 */
function accountTokens(theme: unknown, supports: Supports): [string, string][] {
  const color = (path: string) => cssValue('color', valueAt(theme, path), supports);
  const [light, dark] = [color('light.accentColor'), color('dark.accentColor')];
  const accent =
    seedColor(valueAt(theme, 'palette.accent'), supports) ?? (light && dark ? `light-dark(${light}, ${dark})` : light);
  const danger = seedColor(valueAt(theme, 'palette.themes.danger'), supports);
  const [body, title] = [fontOf(theme, 'body', supports), fontOf(theme, 'heading', supports)];
  const found: [string, string | null][] = [
    ['accent', accent],
    ['series-1', accent],
    ['danger', danger],
    ['font', body],
    ['title-font', title],
  ];
  return found.flatMap(([token, value]): [string, string][] => (value === null ? [] : [[token, value]]));
}

/** Returns the color of a palette seed, which is a color, or a hue with saturation. */
function seedColor(seed: unknown, supports: Supports): string | null {
  const color = cssValue('color', valueAt(seed, 'color'), supports);
  const [hue, saturation] = [valueAt(seed, 'hue'), valueAt(seed, 'saturation') ?? 70];
  if (color !== null || typeof hue !== 'number' || typeof saturation !== 'number') return color;
  return cssValue('color', `hsl(${Math.round(hue)} ${Math.round(saturation)}% 45%)`, supports);
}

/** Returns a font family of the account theme. The font is not downloaded; it applies if the page provides it. */
function fontOf(theme: unknown, role: 'body' | 'heading', supports: Supports): string | null {
  const fonts = valueAt(theme, 'typography.fonts');
  const id = valueAt(theme, `typography.${role}.fontRef`);
  const font: unknown = Array.isArray(fonts)
    ? fonts.slice(0, 50).find(candidate => valueAt(candidate, 'id') === id)
    : null;
  return cssValue('font', valueAt(font, 'family') ?? valueAt(font, 'name'), supports);
}

/** Returns the value at a path of keys; `undefined` if an object has no such own property. */
function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    return Object.getOwnPropertyDescriptor(found, key)?.value;
  }, value);
}

const color =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,30}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+-]{1,60}(?:deg)?[\d\s.,%/+-]{0,60}\))$/i;
const length = /^(?:0|(\d{1,3}(?:\.\d{1,3})?|\.\d{1,3})(px|rem|em|pt|%))$/i;
const family = /^(?:"[\p{L}\p{N} _-]{1,60}"|'[\p{L}\p{N} _-]{1,60}'|-?[\p{L}_][\p{L}\p{N} _-]{0,60})$/u;
const lines = ['none', 'hidden', 'solid', 'dashed', 'dotted', 'double', 'groove', 'ridge', 'inset', 'outset'];
const wide = ['inherit', 'initial', 'unset', 'revert', 'revert-layer', 'default'];
/** Maximum length by unit. */
const maxLengths: Readonly<Record<string, number>> = { px: 200, pt: 150, rem: 12, em: 12, '%': 50 };

/** Returns a value as CSS; `null` if it is not valid for its kind. */
function cssValue(kind: Kind, given: unknown, supports: Supports): string | null {
  if (typeof given === 'number' && (kind === 'weight' || kind === 'length' || kind === 'lengths')) {
    return cssValue(kind, kind === 'weight' || given === 0 ? String(given) : `${given}px`, supports);
  }
  if (typeof given !== 'string' || given.length > 200) return null;
  const value = given.trim();
  if (value === '' || wide.includes(value.toLowerCase())) return null;
  return readers[kind](value, supports);
}

/** Parsers by kind; return `null` for an invalid value. */
const readers: Readonly<Record<Kind, (value: string, supports: Supports) => string | null>> = {
  color: (value, supports) => (color.test(value) && supports('color', value) ? value : null),
  length: value => (isLength(value) ? value : null),
  lengths: value => {
    const parts = value.split(/\s+/);
    return parts.length <= 4 && parts.every(isLength) ? parts.join(' ') : null;
  },
  font: value => (value.split(',').every(name => family.test(name.trim())) ? value : null),
  weight: value => (isWeight(value) ? value : null),
  line: value => (lines.includes(value) ? value : null),
};

function isWeight(value: string): boolean {
  return value === 'normal' || value === 'bold' || (/^\d{1,4}$/.test(value) && +value >= 1 && +value <= 1000);
}

function isLength(value: string): boolean {
  const match = length.exec(value);
  if (!match) return false;
  const [, number, unit = 'px'] = match;
  return number === undefined || Number(number) <= (maxLengths[unit.toLowerCase()] ?? 0);
}

/** Returns the perceived lightness of a color, 0 to 1; `null` if only a browser could determine it. */
function lightness(value: string): number | null {
  const rgb = hexParts(value) ?? rgbParts(value);
  if (!rgb) return { white: 1, black: 0 }[value.toLowerCase()] ?? null;
  const [red = 0, green = 0, blue = 0] = rgb;
  return Math.sqrt(0.2126 * red ** 2 + 0.7152 * green ** 2 + 0.0722 * blue ** 2) / 255;
}

function hexParts(value: string): readonly number[] | null {
  if (!/^#[\da-f]{3,8}$/i.test(value)) return null;
  const size = value.length < 6 ? 1 : 2;
  return [0, 1, 2].map(index => {
    const digits = value.slice(1 + index * size, 1 + (index + 1) * size);
    return Number.parseInt(size === 1 ? digits + digits : digits, 16);
  });
}

function rgbParts(value: string): readonly number[] | null {
  if (!/^rgba?\(/i.test(value) || value.includes('%')) return null;
  return [...value.matchAll(/\d+(?:\.\d+)?/g)].slice(0, 3).map(([number]) => Number(number));
}
