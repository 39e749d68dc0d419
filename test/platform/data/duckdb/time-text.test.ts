import { describe, expect, it } from 'vitest';
import { TimeText } from '../../../../src/platform/data/duckdb/time-text.js';

const moments = [
  0,
  -1,
  86_399_999,
  86_400_000,
  981_173_106_007,
  -62_135_596_800_000,
  -62_198_755_200_000,
  253_402_300_799_999,
  253_402_300_800_000,
  8.64e15,
  -8.64e15,
  ...Array.from({ length: 2000 }, (_, step) => (step - 1000) * 1_234_567_891),
];

describe('the text of a moment', () => {
  it('is what the calendar says, before 1970 and beyond four digits of a year too', () => {
    const times = new TimeText();
    const expected = moments.map(millis => new Date(millis).toISOString().slice(0, -1));
    expect(moments.map(millis => times.write(millis))).toEqual(expected);
    expect(moments.map(millis => times.write(millis))).toEqual(expected);
  });

  it.each([8.64e15 + 1, -8.64e15 - 1, Number.NaN, Number.POSITIVE_INFINITY])('is none of %s', millis => {
    expect(new TimeText().write(millis)).toBeUndefined();
  });
});
