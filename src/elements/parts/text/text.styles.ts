import { css } from 'lit';

/** Styles of a text. */
export const textStyles = css`
  :host {
    display: block;
    overflow: auto;
    scrollbar-width: thin;
  }
`;
