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

/** Look of a dashboard (`DashboardThemeInput`): all values as CSS writes them. `themeId` and keys that nobody knows mean nothing here. */
export interface DashboardTheme {
  readonly backgroundColor?: string;
  readonly fontFamily?: string;
  /** Of links, of the focus, and of the first series of charts. */
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

/** Where the look of an element may come from, beside its page; each is as hostile as anything that is read. */
export interface ThemeSources {
  /** The element's own `theme`: the keys of a dashboard's. */
  readonly element: unknown;
  /** `embedTheme` of the session. */
  readonly session: unknown;
  /** `theme` of the dashboard's config. */
  readonly dashboard: unknown;
  /** The account's configuration; its `appTheme` counts where `applyThemeGlobally` is set. */
  readonly account: AppConfig | null;
}

/** Values of tokens by their names, without `--pa-`, as CSS writes them. */
export type ThemeTokens = ReadonlyMap<string, string>;

/** Whether the browser understands a value of a property. */
export type Supports = (property: string, value: string) => boolean;

type Kind = 'color' | 'length' | 'lengths' | 'font' | 'weight' | 'line';

/** Which token each key of a dashboard's theme sets; of several keys for one token the last that is there wins. */
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

/** Keys of a session's theme: those of chats are no matter of dashboards. */
const sessionKeys: typeof themeKeys = [
  ['font', 'font', 'font'],
  ['primaryColor', 'accent', 'color'],
  ['primaryColor', 'series-1', 'color'],
];

/**
 * Settles what the tokens of an element are by all the themes there are. Of each token the first of these decides that says something
 * of it: the page's own `--pa-*` (which stands before everything here), the element's `theme`, the session's `embedTheme`, the
 * dashboard's `theme`, the account's `appTheme` where it applies globally, the element's own look.
 *
 * A value is taken where it is what its key is for and nothing else: a colour, lengths within bounds, names of fonts, a weight, a style
 * of lines. Everything else is passed over: no address, no variable, no list of declarations comes through.
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

/** Whether the tiles of a theme are light or dark, so that what it says nothing of can be read on them; null where it can't be told. */
export function schemeOf(tokens: ThemeTokens): 'light' | 'dark' | null {
  const light = lightness(tokens.get('surface') ?? tokens.get('background') ?? '');
  return light === null ? null : light < 0.5 ? 'dark' : 'light';
}

function tokensBy(keys: typeof themeKeys, theme: unknown, supports: Supports): [string, string][] {
  return keys.flatMap(([path, token, kind]): [string, string][] => {
    const value = cssValue(kind, at(theme, path), supports);
    return value === null ? [] : [[token, value]];
  });
}

/**
 * Of the applications' theme what concerns an element in a page that isn't theirs: accent, danger and font. The colours of a page's
 * ground are the host's matter. `light` and `dark` are the older form of `palette`.
 */
function accountTokens(theme: unknown, supports: Supports): [string, string][] {
  const color = (path: string) => cssValue('color', at(theme, path), supports);
  const [light, dark] = [color('light.accentColor'), color('dark.accentColor')];
  const accent =
    seedColor(at(theme, 'palette.accent'), supports) ?? (light && dark ? `light-dark(${light}, ${dark})` : light);
  const danger = seedColor(at(theme, 'palette.themes.danger'), supports);
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

/** A seed of a palette: a colour, or a hue and how strong it is. */
function seedColor(seed: unknown, supports: Supports): string | null {
  const color = cssValue('color', at(seed, 'color'), supports);
  const [hue, saturation] = [at(seed, 'hue'), at(seed, 'saturation') ?? 70];
  if (color !== null || typeof hue !== 'number' || typeof saturation !== 'number') return color;
  return cssValue('color', `hsl(${Math.round(hue)} ${Math.round(saturation)}% 45%)`, supports);
}

/** Family of a font that the account's theme names. It is not fetched: a page that has it shows it. */
function fontOf(theme: unknown, role: 'body' | 'heading', supports: Supports): string | null {
  const fonts = at(theme, 'typography.fonts');
  const id = at(theme, `typography.${role}.fontRef`);
  const font: unknown = Array.isArray(fonts) ? fonts.slice(0, 50).find(candidate => at(candidate, 'id') === id) : null;
  return cssValue('font', at(font, 'family') ?? at(font, 'name'), supports);
}

/** What stands under a path of keys; undefined where an object has none of its own. */
function at(value: unknown, path: string): unknown {
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
/** Largest length by its unit. */
const maxLengths: Readonly<Record<string, number>> = { px: 200, pt: 150, rem: 12, em: 12, '%': 50 };

/** A value as CSS may have it; null for what its key is not for. */
function cssValue(kind: Kind, given: unknown, supports: Supports): string | null {
  if (typeof given === 'number' && (kind === 'weight' || kind === 'length' || kind === 'lengths')) {
    return cssValue(kind, kind === 'weight' || given === 0 ? String(given) : `${given}px`, supports);
  }
  if (typeof given !== 'string' || given.length > 200) return null;
  const value = given.trim();
  if (value === '' || wide.includes(value.toLowerCase())) return null;
  return readers[kind](value, supports);
}

/** What of a text is a value of its kind. */
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

/** How light a colour is to the eye, 0 to 1; null where that takes a browser to know. */
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
