import { css } from 'lit';

/** The frame of whatever stands on a dashboard as a tile does. */
export const frameStyles = css`
  .frame {
    box-sizing: border-box;
    padding: var(--_padding);
    border: var(--_tile-border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
`;
