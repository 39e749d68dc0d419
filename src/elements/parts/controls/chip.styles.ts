import { css } from 'lit';

/** A control as a chip. */
export const chipStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  [part='control'] {
    display: flex;
    align-items: center;
    gap: 8px;
    box-sizing: border-box;
    max-inline-size: 100%;
    block-size: 34px;
    padding: var(--_control-padding);
    border: var(--_control-border);
    border-radius: var(--_chip-radius);
    background: var(--_control-surface);
    color: var(--_control-title-color);
    font: var(--_control-title-weight) var(--_control-title-size) / 1.5 var(--_control-title-font);
  }
  [part='control'] > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .filled {
    color: var(--_text);
    font-weight: 500;
  }
  /* By the viewer: what stands from the start is no news. */
  .chosen {
    border-color: var(--_accent);
  }
  .fixed {
    border-style: dashed;
    cursor: default;
  }
  .unfit {
    border-color: var(--_danger);
  }
  @media (pointer: coarse) {
    [part='control'] {
      block-size: 44px;
    }
  }
`;

/** The arrow of a chip that opens something. */
export const chipArrowStyles = css`
  [part='control']::after {
    flex: none;
    inline-size: 6px;
    block-size: 6px;
    margin-block-start: -4px;
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
    content: '';
  }
  .fixed::after {
    display: none;
  }
`;
