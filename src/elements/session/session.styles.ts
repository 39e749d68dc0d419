import { css } from 'lit';

/** A session has no box of its own: what is inside is laid out as if it stood there alone. */
export const sessionStyles = css`
  :host {
    display: contents;
  }

  :host([hidden]) {
    display: none;
  }
`;
