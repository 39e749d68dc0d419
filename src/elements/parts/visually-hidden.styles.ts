import { css } from 'lit';

/** Hides content visually but keeps it available to assistive technology. */
export const visuallyHiddenStyles = css`
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
