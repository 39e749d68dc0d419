/** Weights of the fonts: regular, and semibold for headings and totals. */
export type FontWeight = 400 | 600;

/** Style of a text. */
export interface TextStyle {
  /** Font size, px. */
  readonly size: number;
  readonly weight?: FontWeight | undefined;
}

/** Characters that reorder text regardless of its script. Isolates only separate a part from the text around it. */
const directionOverrides = /[\u202a-\u202e]/g;
const controlCharacters = /[\p{Cc}\u2028\u2029]+/gu;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/;

/** True for text whose first letter belongs to a right-to-left script. */
export function startsFromRight(text: string): boolean {
  return isRightToLeft(/\p{L}/u.exec(text)?.[0] ?? '');
}

/** True for text that contains a right-to-left character. */
export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Returns text in one line, without characters that reorder the text around them. */
export function plainText(text: string): string {
  return text.replace(controlCharacters, ' ').replace(directionOverrides, '');
}

/** Measures text with the fonts that draw it, and breaks or truncates it to fit a width. */
export abstract class TextFitter {
  /** Returns the width of a text, px. */
  abstract width(text: string, style: TextStyle): number;

  /** Returns text that the fonts can draw: one line, without characters that reorder the text around them. */
  abstract drawable(text: string, weight?: FontWeight): string;

  /** Truncates text with an ellipsis to fit a width. */
  truncate(text: string, width: number, style: TextStyle): string {
    if (this.width(text, style) <= width) return text;
    const availableWidth = width - this.width('…', style);
    let [kept, used] = ['', 0];
    for (const character of text) {
      used += this.width(character, style);
      if (used > availableWidth) break;
      kept += character;
    }
    return kept.trimEnd() === '' ? '' : `${kept.trimEnd()}…`;
  }

  /** Breaks text into lines that fit a width, at most `maxLines`; the last one is truncated. */
  wrap(text: string, width: number, style: TextStyle, maxLines = Number.POSITIVE_INFINITY): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of breakableParts(text)) {
      if (line === '' || this.width(line + word.trimEnd(), style) <= width)
        line += line === '' ? word.trimStart() : word;
      else {
        lines.push(line.trimEnd());
        line = word.trimStart();
      }
      while (this.width(line.trimEnd(), style) > width && line.length > 1) {
        const end = this.#fittingLength(line, width, style);
        lines.push(line.slice(0, end));
        line = line.slice(end);
      }
    }
    if (line.trimEnd() !== '' || lines.length === 0) lines.push(line.trimEnd());
    if (lines.length <= maxLines) return lines;
    return [...lines.slice(0, maxLines - 1), this.truncate(lines.slice(maxLines - 1).join(' '), width, style)];
  }

  #fittingLength(text: string, width: number, style: TextStyle): number {
    let [length, used] = [0, 0];
    for (const character of text) {
      used += this.width(character, style);
      if (used > width && length > 0) break;
      length += character.length;
    }
    return length;
  }
}

/** Splits text after spaces and hyphens, and between East Asian characters. */
function breakableParts(text: string): string[] {
  return (
    text
      .match(
        /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef][、。，．」）]*\s*|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef-]*-?\s*/g,
      )
      ?.filter(Boolean) ?? []
  );
}
