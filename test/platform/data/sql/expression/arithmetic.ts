import fc from '../../../../property.js';

const leaves: fc.Arbitrary<string> = fc.constantFrom(
  ...['i', 'j', 'b', 'n', 'm', 'd', 'e', '0', '1', '2', '-3', '2.5', '0.1', '1e3', '100', 'nullif(j, 0)', '1.005'],
);

type Grammar = {
  readonly plain: string;
  readonly number: string;
  readonly condition: string;
};

function nested(...choices: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.oneof({ depthSize: 'small', withCrossShrink: true }, ...choices);
}

/** Expressions that are always evaluated. */
function computed(number: fc.Arbitrary<string>): fc.Arbitrary<string>[] {
  return [
    fc.tuple(number, fc.constantFrom('+', '-', '*', '/', '%'), number).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc
      .tuple(fc.constantFrom('abs', 'ceil', 'floor', 'round', 'trunc', 'sign', 'sqrt'), number)
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(fc.constantFrom('round', 'trunc'), number, fc.integer({ min: -2, max: 4 }))
      .map(([name, a, n]) => `${name}((${a})::numeric, ${n})`),
    fc
      .tuple(number, fc.constantFrom('integer', 'bigint', 'numeric', 'double precision', 'numeric(12, 2)'))
      .map(([a, type]) => `(${a})::${type}`),
  ];
}

const grammar = fc.letrec<Grammar>(tie => ({
  plain: nested(leaves, ...computed(tie('plain'))),
  number: nested(
    leaves,
    ...computed(tie('number')),
    fc
      .tuple(tie('condition'), tie('number'), tie('number'))
      .map(([when, a, b]) => `(case when ${when} then ${a} else ${b} end)`),
    fc
      .tuple(fc.constantFrom('coalesce', 'greatest', 'least', 'nullif'), tie('number'), tie('number'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
  ),
  condition: nested(
    fc.constantFrom('f', 'g', 'true', 'null::boolean'),
    fc
      .tuple(tie('number'), fc.constantFrom('=', '<>', '<', '>=', 'is distinct from'), tie('number'))
      .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc.tuple(tie('number'), tie('number'), tie('number')).map(([a, b, c]) => `(${a} between ${b} and ${c})`),
    fc.tuple(tie('number'), tie('number'), tie('number')).map(([a, b, c]) => `(${a} not in (${b}, ${c}))`),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([a, word, b]) => `(${a} ${word} ${b})`),
    tie('condition').map(a => `(not ${a})`),
  ),
}));

/** Arithmetic over the columns of the test's table. */
export const plain: fc.Arbitrary<string> = grammar.plain;

/** The same, with conditional expressions. */
export const conditional: fc.Arbitrary<string> = grammar.number;
