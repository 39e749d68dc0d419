import { css, html, type TemplateResult } from 'lit';

/** What is on its way, for the shape of what stands in its place. */
export type SkeletonShape = 'bars' | 'rows' | 'figure' | 'area' | 'lines';

const bones: Readonly<Record<SkeletonShape, number>> = { bars: 8, rows: 6, figure: 1, area: 1, lines: 4 };

/** Still shapes in the place of what is on its way; they appear when it takes longer than 150 ms. */
export function skeleton(shape: SkeletonShape): TemplateResult {
  return html`<div class="skeleton ${shape}" part="skeleton" aria-hidden="true">
    ${Array.from({ length: bones[shape] }, () => html`<i></i>`)}
  </div>`;
}

/** Styles of skeletons. */
export const skeletonStyles = css`
  .skeleton {
    display: flex;
    box-sizing: border-box;
    inline-size: 100%;
    block-size: 100%;
    min-block-size: 0;
    overflow: hidden;
  }
  .skeleton,
  .delayed {
    animation: appear 0s 150ms both;
  }
  @keyframes appear {
    from {
      visibility: hidden;
    }
  }
  .skeleton i {
    display: block;
    flex: none;
    border-radius: 3px;
    background: color-mix(in srgb, var(--_text) 7%, transparent);
  }
  .bars {
    align-items: end;
    gap: 4%;
    border-block-end: 1px solid var(--_line);
  }
  .bars i {
    flex: 1;
    border-end-start-radius: 0;
    border-end-end-radius: 0;
    block-size: 46%;
  }
  .bars i:nth-child(3n) {
    block-size: 72%;
  }
  .bars i:nth-child(3n + 1) {
    block-size: 34%;
  }
  .bars i:nth-child(5n) {
    block-size: 58%;
  }
  .rows,
  .lines {
    flex-direction: column;
    gap: 20px;
    padding-block: 10px;
  }
  .rows i,
  .lines i {
    block-size: 12px;
  }
  .rows i:nth-child(3n + 1) {
    inline-size: 92%;
  }
  .rows i:nth-child(3n + 2),
  .lines i:last-child {
    inline-size: 64%;
  }
  .lines {
    gap: 12px;
  }
  .figure {
    align-items: center;
  }
  .figure i {
    inline-size: min(55%, 160px);
    block-size: min(36px, 60%);
    border-radius: 6px;
  }
  .area i {
    flex: 1;
    border-radius: 6px;
  }
  @media (forced-colors: active) {
    .skeleton i {
      border: 1px solid GrayText;
    }
  }
`;
