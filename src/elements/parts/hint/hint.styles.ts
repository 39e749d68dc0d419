import { css } from 'lit';

/** Styles of an indicator with an explanation. */
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
  strong {
    display: block;
    font-weight: 600;
  }
  :host([icon]:not([worded])) button {
    display: grid;
    place-items: center;
    inline-size: 20px;
    min-block-size: 20px;
    padding: 0;
    border-color: transparent;
    border-radius: 4px;
  }
  :host([icon]:not([worded])) svg {
    display: block;
  }
  :host([icon]:not([worded])) span {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    clip-path: inset(50%);
  }
  /* As wide as the tile header. */
  @container (max-width: 400px) {
    :host([worded]) button {
      padding: 0 2px;
    }
    :host([worded]) svg {
      display: block;
    }
    :host([worded]) span {
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
