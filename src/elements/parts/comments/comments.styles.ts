import { css } from 'lit';

/** Styles of the button that opens the comments. */
export const commentsStyles = css`
  :host {
    display: contents;
  }
  .toggle {
    position: relative;
    display: inline-flex;
    flex: none;
    align-items: center;
    justify-content: center;
    inline-size: 32px;
    padding: 0;
  }
  .badge {
    position: absolute;
    inset-block-start: -7px;
    inset-inline-end: -7px;
    box-sizing: border-box;
    min-inline-size: 18px;
    padding: 0 4px;
    border-radius: 9px;
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#ffffff, #0b1020));
    font: 600 11px/18px var(--_font);
    text-align: center;
    font-variant-numeric: tabular-nums;
  }
  @media (pointer: coarse) {
    .toggle {
      inline-size: 44px;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;

/** Styles of the button that a tile with unread comments shows. */
export const tileCommentsStyles = css`
  button {
    display: inline-flex;
    gap: 2px;
    align-items: center;
    min-block-size: 24px;
    padding: 0 6px;
    border: 0;
    border-radius: 12px;
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#ffffff, #0b1020));
    font: 600 11px/18px var(--_font);
    font-variant-numeric: tabular-nums;
  }
  button:hover {
    background: color-mix(in srgb, var(--_text) 12%, var(--_accent));
  }
  svg {
    inline-size: 12px;
    block-size: 12px;
  }
  @media print {
    :host {
      display: none;
    }
  }
`;
