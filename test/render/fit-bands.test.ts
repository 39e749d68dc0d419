import { describe, expect, it } from 'vitest';
import { type BandSpan, bandScales, fitBands } from '../../src/scene/fit-bands.js';
import fc, { seed } from '../property.js';

const span = (elastic: number, more: Partial<BandSpan> = {}): BandSpan => ({
  gap: 10,
  fixed: 0,
  elastic,
  minScale: 0,
  isOpen: false,
  ...more,
});
const page = { isStart: true };

describe('fitBands', () => {
  it('makes tiles shorter, so that another band fits', () => {
    const { count, scale } = fitBands([span(250), span(250), span(250)], 690, page);
    expect(count).toBe(3);
    expect(scale).toBeCloseTo(670 / 750, 2);
  });

  it('makes tiles taller if the next band does not fit', () => {
    const { count, scale } = fitBands([span(300), span(300), span(300)], 690, page);
    expect(count).toBe(2);
    expect(scale).toBeCloseTo(680 / 600, 2);
    expect(fitBands([span(200), span(680)], 690, page)).toEqual({ count: 1, scale: bandScales.max });
  });

  it('leaves the last page as it is', () => {
    expect(fitBands([span(200), span(200)], 690, page)).toEqual({ count: 2, scale: 1 });
  });

  it('keeps the height of tables, and their rows', () => {
    const table = span(0, { fixed: 400 });
    expect(fitBands([table, span(280)], 640, page)).toEqual({ count: 2, scale: 0.821 });
    expect(fitBands([span(300, { minScale: 1 }), span(300), span(300)], 690, page).scale).toBeGreaterThanOrEqual(1);
  });

  it('puts nothing below a band that continues on the next page', () => {
    expect(fitBands([span(200, { isOpen: true }), span(100)], 690, page)).toEqual({ count: 1, scale: 1 });
  });

  it('never exceeds the page, and stays within its limits', () => {
    const length = fc.integer({ min: 0, max: 800 });
    const spans = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 40 }),
        fixed: length,
        elastic: length,
        minScale: fc.double({ min: 0, max: 1, noNaN: true }),
        isOpen: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(spans, fc.integer({ min: 100, max: 1_000 }), fc.boolean(), (all, room, isStart) => {
        const { count, scale } = fitBands(all, room, { isStart });
        const used = all.slice(0, count).reduce((total, { gap, fixed, elastic }, index) => {
          return total + (isStart && index === 0 ? 0 : gap) + fixed + elastic * scale;
        }, 0);
        expect(used).toBeLessThanOrEqual(room);
        if (count === 0) return;
        expect(scale).toBeGreaterThanOrEqual(bandScales.min - 0.001);
        expect(scale).toBeLessThanOrEqual(bandScales.max);
      }),
      { seed },
    );
  });

  it('fits no band that is too tall', () => {
    expect(fitBands([span(900)], 690, page).count).toBe(0);
  });
});
