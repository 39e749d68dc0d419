import fc from 'fast-check';

/** Seed of every property test, so that each run tries the same cases. Set `PA_SEED` to try other cases. */
export const seed = Number(process.env.PA_SEED ?? 11);

export type TestDepth = 'quick' | 'deep';

/**
 * Returns the depth of property, fuzz, race and kill tests from `PA_TEST_DEPTH`: `quick` (default, for every run) or
 * `deep` (nightly, and required for changes below `src/platform/data`).
 * @throws Error if the variable has any other value.
 */
export function testDepth(): TestDepth {
  const depth = process.env.PA_TEST_DEPTH || 'quick';
  if (depth === 'quick' || depth === 'deep') return depth;
  throw new Error(`PA_TEST_DEPTH is "${depth}": use "quick" or "deep".`);
}

/**
 * Returns the number of cases at the current depth.
 * @param deep cases of a deep run.
 * @param quick cases of a quick run, a tenth by default. Isolation and durability properties keep at least 1,000 cases
 * and 5 kill rounds.
 */
export function casesAtDepth(deep: number, quick: number = Math.ceil(deep / 10)): number {
  return testDepth() === 'deep' ? deep : quick;
}

fc.configureGlobal({ seed });

/** A character, mostly of ASCII, or any other code point except surrogates. */
const character = fc
  .oneof(
    fc.nat(0x7f),
    fc.nat(0x2fff),
    fc.nat(0x10_ffff).filter(code => code < 0xd800 || code > 0xdfff),
  )
  .map(code => String.fromCodePoint(code));

/**
 * Text of any characters. Unlike `fc.string({ unit: 'binary' })`, it does not enumerate all characters of Unicode.
 * Doing so takes a second for each arbitrary.
 */
export const anyText = ({ maxLength = 10 }: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(character, { maxLength }).map(characters => characters.join('')) },
    { weight: 1, arbitrary: fc.string({ maxLength }) },
  );

export default fc;
