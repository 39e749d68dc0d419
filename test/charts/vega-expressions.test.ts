import { constants, functions, codegenExpression as generatorOf, parseExpression as parse } from 'vega-expression';
import { describe, expect, it } from 'vitest';
import { codegenExpression, parseExpression } from '../../src/charts/vega-expressions.js';

const options = {
  allowed: ['datum'],
  forbidden: ['_'],
  fieldvar: 'datum',
  globalvar: (id: string) => `_["$${id}"]`,
  constants,
  functions,
};
const texts = ['datum.a + b', 'datum["a.b"] ? max(1, c) : PI', 'test(/x+/g, datum.a)', '[d, {e: f}]'];

describe('the replacement for vega-expression', () => {
  it.each(texts)('parses %j and generates its code as vega-expression does', text => {
    const generate = codegenExpression(options);
    const expected = generatorOf(options)(parse(text));
    for (let time = 0; time < 2; time++) expect(generate(parseExpression(text))).toEqual(expected);
    expect(JSON.stringify(parseExpression(text))).toBe(JSON.stringify(parse(text)));
  });

  it('parses equal expressions once', () => {
    expect(parseExpression('datum.once')).toBe(parseExpression('datum.once'));
  });

  it('fails for an invalid expression each time', () => {
    for (let time = 0; time < 2; time++) expect(() => parseExpression('a +')).toThrow('Unexpected end of input');
  });

  it('reports no names of a failed expression for the next one', () => {
    const generate = codegenExpression(options);
    const failing = parseExpression('secret + datum.secret + unknown()');
    for (let time = 0; time < 2; time++) expect(() => generate(failing)).toThrow('Unrecognized function');
    expect(generate(parseExpression('other'))).toMatchObject({ globals: ['other'], fields: [] });
  });
});
