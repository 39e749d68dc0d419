/** A CSS color in the light and the dark scheme. */
export interface Shade {
  readonly light: string;
  readonly dark: string;
}

/** Colors of all elements except series; a host overrides each with the custom property of its name (`--pa-text`). */
export const palette = {
  page: { light: '#f6f7f9', dark: '#0f1116' },
  surface: { light: '#ffffff', dark: '#171a21' },
  text: { light: '#161a22', dark: '#eceff4' },
  muted: { light: '#566072', dark: '#a3adbd' },
  line: { light: '#d9dde5', dark: '#2a2f3a' },
  control: { light: '#858e9e', dark: '#6f7989' },
  accent: { light: '#1f5fd0', dark: '#8ab4ff' },
  danger: { light: '#b3261e', dark: '#ff8a80' },
  success: { light: '#0b7a4b', dark: '#5fd39b' },
  warn: { light: '#8a5a00', dark: '#f0c060' },
} as const satisfies Readonly<Record<string, Shade>>;

/** Colors of chart series in order (`--pa-series-1` etc.); a chart of one series uses the first. */
export const seriesColors: readonly Shade[] = [
  { light: '#2f6fde', dark: '#6ea3ff' },
  { light: '#d1590c', dark: '#ff9248' },
  { light: '#0c8a6f', dark: '#34c3a0' },
  { light: '#7a2fb5', dark: '#9263e3' },
  { light: '#c2255c', dark: '#f5d76e' },
  { light: '#17406b', dark: '#e25a7c' },
  { light: '#6f7989', dark: '#bfe0ff' },
];

/** Default font of all elements. */
export const fontFamily = 'ui-sans-serif, system-ui, sans-serif';
