import { css, html, type TemplateResult } from 'lit';

/** Shape of a skeleton, matching the content that loads. */
export type SkeletonShape = 'bars' | 'line' | 'rows' | 'figure' | 'map' | 'flow' | 'lines';

const bones: Readonly<Record<SkeletonShape, number>> = {
  bars: 8,
  line: 1,
  rows: 18,
  figure: 2,
  map: 1,
  flow: 6,
  lines: 4,
};

/** Renders a static placeholder while content loads; appears after 150 ms. */
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
  .skeleton.line {
    border-block-end: 1px solid var(--_line);
  }
  .skeleton.line i {
    flex: 1;
    border-radius: 0;
    background: color-mix(in srgb, var(--_text) 12%, transparent);
    clip-path: polygon(
      0 62%, 14% 48%, 28% 56%, 43% 34%, 58% 42%, 72% 24%, 86% 32%, 100% 14%,
      100% 18%, 86% 36%, 72% 28%, 58% 46%, 43% 38%, 28% 60%, 14% 52%, 0 66%
    );
  }
  .rows {
    display: grid;
    grid-template-columns: 3fr 1fr 1fr;
    grid-auto-rows: 12px;
    align-content: start;
    gap: 20px;
    padding-block: 10px;
  }
  /* The first column is text, the others are figures. */
  .rows i:not(:nth-child(3n + 1)) {
    inline-size: min(100%, 64px);
    margin-inline-start: auto;
  }
  .rows i:nth-child(6n + 1) {
    inline-size: 52%;
  }
  .rows i:nth-child(6n + 4) {
    inline-size: 68%;
  }
  .lines {
    flex-direction: column;
    gap: 12px;
    padding-block: 10px;
  }
  .lines i {
    block-size: 12px;
  }
  .lines i:last-child {
    inline-size: 64%;
  }
  .figure {
    flex-direction: column;
    justify-content: center;
    gap: 8px;
  }
  .figure i:first-child {
    inline-size: min(55%, 160px);
    block-size: min(36px, 60%);
    border-radius: 6px;
  }
  .figure i:last-child {
    inline-size: min(40%, 110px);
    block-size: 12px;
  }
  .map i {
    flex: 1;
    border-radius: 0;
    clip-path: polygon(
      4% 22%, 22% 12%, 46% 16%, 62% 12%, 78% 20%, 94% 10%, 98% 24%, 88% 42%, 86% 60%, 90% 84%, 80% 78%, 60% 80%, 50% 92%, 38% 76%, 14% 68%, 4% 46%
    );
  }
  .flow {
    display: grid;
    grid-template-columns: 12px 12px;
    grid-template-rows: 5fr 3fr 2fr;
    justify-content: space-between;
    gap: 16px;
  }
  .skeleton.flow i {
    border-radius: 2px;
    background: color-mix(in srgb, var(--_text) 12%, transparent);
  }
  @media (forced-colors: active) {
    .skeleton i {
      border: 1px solid GrayText;
    }
  }
`;
