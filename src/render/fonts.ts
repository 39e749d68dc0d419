import { createRequire } from 'node:module';
import type { Font } from 'fontkit';
import { type FontWeight, plainText, TextFitter, type TextStyle } from '../scene/text-fitter.js';
import { explainMissingPackage, loadPackage } from './missing-package.js';

/** Families of Noto Sans, in the order in which a character is looked up. */
export const fontNames = ['latin', 'arabic', 'japanese'] as const;
/** A family of Noto Sans. */
export type FontName = (typeof fontNames)[number];

/** Value of `font-family`. Each character is rendered with the family that contains it. */
export const fontFamilyName = 'Noto Sans';
/** Family names as stored in the font files. */
export const familyNames: Readonly<Record<FontName, string>> = {
  latin: fontFamilyName,
  arabic: 'Noto Sans Arabic',
  japanese: 'Noto Sans JP',
};

const weightNames: Readonly<Record<FontWeight, string>> = { 400: 'Regular', 600: 'SemiBold' };
const files: Readonly<Record<FontName, readonly [packageName: string, fileName: string]>> = {
  latin: ['noto-sans', 'NotoSans'],
  arabic: ['noto-sans-arabic', 'NotoSansArabic'],
  japanese: ['noto-sans-jp', 'NotoSansJP'],
};
const require = createRequire(import.meta.url);

function fontPath(name: FontName, weight: FontWeight): string {
  const [packageName, fileName] = files[name];
  const style = weightNames[weight];
  return require.resolve(`@expo-google-fonts/${packageName}/${weight}${style}/${fileName}_${weight}${style}.ttf`);
}

/** Invisible joiners and variation selectors, which only matter for characters that these fonts lack. */
const joiners = /\u200b|\u2060|[\ufe00-\ufe0f]|\ufeff/g;
const replacement = '\ufffd';
const maxMissing = 20;

/**
 * The fonts of one file. Measures text with the font that draws it, replaces characters that no font has, and records
 * which families the text needs.
 */
export class Fonts extends TextFitter {
  readonly #open: (path: string) => Font;
  readonly #names: readonly FontName[];
  readonly #fonts = new Map<string, Font>();
  readonly #advances = new Map<number, number>();
  readonly #families = new Map<number, FontName | null>();
  readonly #missing = new Set<string>();
  readonly #used = new Set<string>();

  /** @param names The installed families. */
  constructor(open: (path: string) => Font, names: readonly FontName[] = fontNames) {
    super();
    this.#open = open;
    this.#names = names;
  }

  /** Characters that no font has, at most 20. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** Paths of the fonts required by the strings processed so far. */
  get files(): readonly string[] {
    return [...this.#used].map(key => {
      const [name = 'latin', weight = '400'] = key.split(' ');
      return fontPath(name as FontName, Number(weight) as FontWeight);
    });
  }

  /** Returns the path of a font. */
  path(name: FontName, weight: FontWeight): string {
    return fontPath(name, weight);
  }

  /** Returns text that the fonts can draw: one line, without characters that reorder the text around them. */
  drawable(text: string, weight: FontWeight = 400): string {
    const plain = plainText(text).replace(joiners, '');
    let result = '';
    for (const character of plain) {
      const name = this.familyOf(character);
      if (name === null) {
        if (this.#missing.size < maxMissing) this.#missing.add(character);
        result += replacement;
      } else {
        this.#used.add(`${name} ${weight}`);
        result += character;
      }
    }
    if (result.includes(replacement)) this.#used.add(`latin ${weight}`);
    return result;
  }

  /** Returns the font family that contains the character; `null` if none does. */
  familyOf(character: string): FontName | null {
    const code = character.codePointAt(0) ?? 0;
    const known = this.#families.get(code);
    if (known !== undefined) return known;
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    const found = isSurrogate ? null : this.#names.find(name => this.#font(name, 400).hasGlyphForCodePoint(code));
    this.#families.set(code, found ?? null);
    return found ?? null;
  }

  /** Returns the width of a text in px. */
  width(text: string, { size, weight = 400 }: TextStyle): number {
    let units = 0;
    for (const character of text) units += this.#advance(character, weight);
    return (units * size) / 1000;
  }

  #advance(character: string, weight: FontWeight): number {
    const code = character.codePointAt(0) ?? 0;
    const key = code * 2 + (weight === 600 ? 1 : 0);
    const known = this.#advances.get(key);
    if (known !== undefined) return known;
    const font = this.#font(this.familyOf(character) ?? 'latin', weight);
    const advance = (font.glyphForCodePoint(code).advanceWidth * 1000) / font.unitsPerEm;
    this.#advances.set(key, advance);
    return advance;
  }

  #font(name: FontName, weight: FontWeight): Font {
    const key = `${name} ${weight}`;
    const known = this.#fonts.get(key);
    if (known) return known;
    const font = openedFonts.get(key) ?? this.#open(fontPath(name, weight));
    openedFonts.set(key, font);
    this.#fonts.set(key, font);
    return font;
  }
}

/** Caches opened fonts for all files. */
const openedFonts = new Map<string, Font>();

/** Opens the fonts for one file. */
export async function openFonts(): Promise<Fonts> {
  const { openSync } = await loadPackage(() => import('fontkit'));
  return loadPackage(async () => {
    // Fail early if the package of the main font is not installed.
    fontPath('latin', 400);
    return new Fonts(openSync, fontNames.filter(isInstalled));
  });
}

/**
 * Returns whether a family is installed. If it is not installed, its characters are replaced, and a note in the file
 * lists them.
 */
function isInstalled(name: FontName): boolean {
  try {
    fontPath(name, 400);
    return true;
  } catch (error) {
    if (explainMissingPackage(error) === null) throw error;
    return false;
  }
}
