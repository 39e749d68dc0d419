import { css } from 'lit';

/** What assistive technology reads and nobody sees. */
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
