/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Colors and lengths of a file, resolved to values that all formats support. */
export interface SceneColors {
  readonly scheme: 'light' | 'dark';
  readonly page: string;
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  readonly danger: string;
  readonly success: string;
  readonly warn: string;
  readonly border: string;
  readonly title: string;
  readonly series: readonly string[];
  /** Lengths in px. */
  readonly radius: number;
  readonly padding: number;
  readonly borderWidth: number;
  readonly titleSize: number;
}

/** Mixes a share of a color (0 to 1) into another one. Both are hexadecimal. */
export function mixColors(color: string, share: number, base: string): string {
  const [from, to] = [rgbOf(base), rgbOf(color)];
  const mixed = from.map((part, index) => part + ((to[index] ?? 0) - part) * share);
  return hexOf([mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0]);
}

/** Returns a color in hexadecimal notation. */
export function hexOf(rgb: Rgb): string {
  return `#${rgb.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function rgbOf(hex: string): Rgb {
  const part = (index: number): number => Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16) || 0;
  return [part(0), part(1), part(2)];
}
