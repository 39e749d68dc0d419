import { css } from 'lit';

/** What floats above the page: hints and tooltips. */
export const popoverStyles = css`
  [popover] {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    max-inline-size: min(280px, calc(100vw - 16px));
    margin: 0;
    padding: 8px 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    box-shadow: 0 4px 16px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 12px/1.5 var(--_font);
    white-space: normal;
    overflow: hidden;
    pointer-events: none;
  }
`;
