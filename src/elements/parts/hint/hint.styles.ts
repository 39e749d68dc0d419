import { css } from 'lit';

/** Styles of a mark with an explanation. */
export const hintStyles = css`
  :host {
    display: inline-flex;
    flex: none;
  }
  button {
    min-inline-size: 0;
    min-block-size: 22px;
    padding: 0 8px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: none;
    color: var(--_muted);
    font: 500 12px/1 var(--_font);
    white-space: nowrap;
    cursor: help;
  }
  span {
    display: block;
    overflow: hidden;
    line-height: 20px;
    text-overflow: ellipsis;
  }
  svg {
    display: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linejoin: round;
  }
  /* As wide as the header of a tile: what it says is still there for assistive technology. */
  @container (max-width: 400px) {
    :host([icon]) button {
      padding: 0 4px;
    }
    :host([icon]) svg {
      display: block;
    }
    :host([icon]) span {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      clip-path: inset(50%);
    }
  }
  @media (pointer: coarse) {
    button {
      position: relative;
      min-block-size: 22px;
    }
    button::after {
      position: absolute;
      inset: -11px 0;
      content: '';
    }
  }
`;
