import { css } from 'lit';

/** Styles of images beside a message. */
export const attachmentsStyles = css`
  :host {
    display: block;
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    position: relative;
  }
  img {
    display: block;
    inline-size: 64px;
    block-size: 64px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    object-fit: cover;
  }
  button {
    display: grid;
    position: absolute;
    inset-block-start: -6px;
    inset-inline-end: -6px;
    place-items: center;
    inline-size: 24px;
    min-block-size: 24px;
    padding: 0;
    border-radius: 12px;
  }
  button svg {
    inline-size: 12px;
  }
`;
