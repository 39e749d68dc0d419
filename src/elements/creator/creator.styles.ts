import { css } from 'lit';

/** Styles of the public elements in which users build dashboards. */
export const creatorStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  :host([hidden]) {
    display: none;
  }
  .blank {
    visibility: hidden;
  }
  .panel {
    box-sizing: border-box;
    min-block-size: 240px;
    padding: 24px var(--_padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .panel.delayed {
    block-size: 240px;
  }
  .panel.banner {
    min-block-size: 0;
    margin-block-end: 12px;
    padding-block: 12px;
  }
`;
