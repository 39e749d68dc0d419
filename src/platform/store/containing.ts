/** The pattern of LIKE or ILIKE for texts that hold a text, whatever is in it. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
