/** Postgres' own parser; where nobody sends SQL its package need not be there. */
export async function loadParser() {
  const parser = await import('libpg-query');
  await parser.loadModule();
  return parser;
}
