import type { Band } from './bands.js';

/** How much space a band needs on a page. */
export interface BandSpan {
  readonly gap: number;
  /** Height that does not change, px. */
  readonly fixed: number;
  /** Height that can be scaled, px. */
  readonly elastic: number;
  /** Minimum scale of the elastic height. */
  readonly minScale: number;
  /** True if the band continues on the next page, so that it is the last one of its page. */
  readonly isOpen: boolean;
}

/** The bands of a page. */
export interface PageFit {
  readonly count: number;
  /** Scale of their elastic heights. */
  readonly scale: number;
}

/** Limits within which the tiles of a page are made shorter or taller, so that they fill it. */
export const bandScales = { min: 0.8, max: 1.3 } as const;

/**
 * Returns how many bands fit the rest of a page, and the scale at which they fill it. The last page is not filled.
 * @param availableHeight Available height, px.
 * @param isStart True if the page has no content yet, so that the first band has no gap above it.
 */
export function fitBands(
  spans: readonly BandSpan[],
  availableHeight: number,
  { isStart }: { readonly isStart: boolean },
): PageFit {
  let [count, fixed, elastic] = [0, 0, 0];
  let minScale: number = bandScales.min;
  for (const span of spans) {
    const gap = isStart && count === 0 ? 0 : span.gap;
    const low = Math.max(minScale, span.minScale);
    if (fixed + gap + span.fixed + (elastic + span.elastic) * low > availableHeight) break;
    count += 1;
    fixed += gap + span.fixed;
    elastic += span.elastic;
    minScale = low;
    if (span.isOpen) break;
  }
  if (elastic === 0) return { count, scale: 1 };
  // Round down, so that the sum does not exceed the page.
  const full = Math.floor(((availableHeight - fixed) / elastic) * 1_000) / 1_000;
  const isFollowed = count < spans.length && !spans[count - 1]?.isOpen;
  return { count, scale: Math.min(full, isFollowed ? bandScales.max : 1) };
}

/** Makes the tiles of a band shorter or taller. Headings keep their height. */
export function scaleBand({ items, height, gap }: Band, scale: number): Band {
  if (scale === 1) return { items, height, gap };
  const scaled = items.map(item => {
    const { box } = item;
    const own = item.type === 'heading' ? 1 : scale;
    return { ...item, box: { ...box, y: box.y * scale, height: box.height * own } };
  });
  return { items: scaled, height: height * scale, gap };
}
