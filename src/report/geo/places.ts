/** Places with a shape, as rows name them. */
export interface Places {
  /** Id of the shape that a text names, whatever its case, accents and punctuation; null where there is none. */
  readonly find: (text: string) => string | null;
  /** Name of a shape in a language (BCP 47), where it is known in that language. */
  readonly name: (id: string, locale: string) => string;
}

const maxNameLength = 80;

/** What of a name counts: letters and figures of whatever case, without accents, `the`, and the dots of what is cut short. */
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

/** Lets a place be found by a name, unless the name is another's already. */
export function addName(ids: Map<string, string>, name: string, id: string): void {
  const key = placeKey(name);
  if (key !== '' && key !== 'nan' && !ids.has(key)) ids.set(key, id);
}
