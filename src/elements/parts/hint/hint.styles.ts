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
