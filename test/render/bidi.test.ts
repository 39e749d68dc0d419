import { describe, expect, it } from 'vitest';
import { visualWords } from '../../src/render/bidi.js';

/** Latin letters are left-to-right, Hebrew letters right-to-left. */
describe('visualWords', () => {
  it('keeps words from left to right', () => {
    expect(visualWords('one two 3', 'ltr')).toEqual(['one', 'two', '3']);
    expect(visualWords('one two', 'rtl')).toEqual(['one', 'two']);
  });

  it('reverses words from right to left and their letters', () => {
    expect(visualWords('אב גד', 'rtl')).toEqual(['דג', 'בא']);
    expect(visualWords('אב גד', 'ltr')).toEqual(['דג', 'בא']);
  });

  it('keeps the order of other words between them', () => {
    expect(visualWords('אב one 12 גד', 'rtl')).toEqual(['דג', 'one', '12', 'בא']);
    expect(visualWords('one אב גד two', 'ltr')).toEqual(['one', 'דג', 'בא', 'two']);
  });

  it('keeps the digits of a word in order', () => {
    expect(visualWords('אב12', 'rtl')).toEqual(['12בא']);
  });
});
