import { css } from 'lit';

/** Styles of a menu in the top layer. */
export const menuStyles = css`
  [popover] {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    min-inline-size: 180px;
    max-inline-size: min(320px, calc(100vw - 8px));
    max-block-size: calc(100vh - 8px);
    margin: 0;
    padding: 4px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    box-shadow: 0 4px 16px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 13px/1.4 var(--_font);
    overflow: auto;
  }
  button,
  a {
    display: block;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 32px;
    padding: 7px 12px;
    border: 0;
    border-radius: 4px;
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
    text-decoration: none;
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  button:hover,
  button:focus,
  a:hover,
  a:focus {
    background: color-mix(in srgb, var(--_text) 8%, var(--_surface));
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  [role='separator'] {
    block-size: 1px;
    margin: 4px 0;
    background: var(--_line);
  }
  @media (pointer: coarse) {
    button,
    a {
      min-block-size: 44px;
      padding-block: 12px;
    }
  }
  @media (forced-colors: active) {
    button:focus,
    a:focus {
      outline: 2px solid Highlight;
    }
  }
`;
