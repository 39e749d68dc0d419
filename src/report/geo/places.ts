/** A lookup of places with a shape. */
export interface Places {
  /** Returns the id of the shape with this name, ignoring case, accents and punctuation; `null` if there is none. */
  readonly find: (text: string) => string | null;
  /** Returns the name of a shape in a language (BCP 47), or its default name. */
  readonly name: (id: string, locale: string) => string;
}

const maxNameLength = 80;

/** Normalizes a name for lookups: lowercase letters and digits without accents, periods and `the`. */
export function placeKey(text: string): string {
  return text
    .slice(0, maxNameLength)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll('.', '')
    .replace(/\bthe\b/g, ' ')
    .replace(/\bst\b/g, 'saint')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Adds a name of a place unless another place already has it. */
export function addName(ids: Map<string, string>, name: string, id: string): void {
  const key = placeKey(name);
  if (key !== '' && key !== 'nan' && !ids.has(key)) ids.set(key, id);
}
