import { css } from 'lit';

/** Styles of the bar of controls. */
export const controlsStyles = css`
  :host {
    display: block;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  pa-control {
    min-inline-size: 0;
    max-inline-size: 100%;
  }
`;
