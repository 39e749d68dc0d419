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
