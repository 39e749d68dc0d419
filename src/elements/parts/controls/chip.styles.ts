import { css } from 'lit';

/**
 * A control as a chip. Its width comes from the text in `data-room` and a reserve for values, never from the current value: choosing a
 * value moves nothing.
 */
export const chipStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  [part='control'] {
    display: grid;
    position: relative;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    column-gap: 8px;
    box-sizing: border-box;
    inline-size: 100%;
    block-size: 34px;
    padding: var(--_control-padding);
    border: var(--_control-border);
    border-radius: var(--_chip-radius);
    background: var(--_control-surface);
    color: var(--_control-title-color);
    font: var(--_control-title-weight) var(--_control-title-size) / 1.5 var(--_control-title-font);
    text-align: start;
  }
  [part='control']:not(.fixed):hover {
    background: color-mix(in srgb, var(--_text) 6%, var(--_control-surface));
  }
  [data-room]::before {
    grid-area: 1 / 1;
    block-size: 0;
    padding-inline-end: var(--_chip-reserve, 64px);
    font-weight: 500;
    white-space: nowrap;
    overflow: hidden;
    visibility: hidden;
    content: attr(data-room);
  }
  .text {
    grid-area: 1 / 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [data-room] > .text {
    contain: inline-size;
  }
  svg {
    flex: none;
    grid-column: 2;
  }
  .filled {
    color: var(--_text);
    font-weight: 500;
  }
  /* Chosen by the viewer. Values that the author or the host set are not outlined. */
  .chosen {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 8%, var(--_control-surface));
  }
  .fixed {
    border-color: var(--_line);
    background: color-mix(in srgb, var(--_text) 4%, var(--_control-surface));
    cursor: default;
  }
  .fixed > svg {
    color: var(--_muted);
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

/** The arrow of a chip that opens a list or a panel. */
export const chipArrowStyles = css`
  [part='control']:not(.fixed)::after {
    grid-column: 2;
    inline-size: 6px;
    block-size: 6px;
    margin-block-start: -4px;
    margin-inline: 2px;
    border: solid currentColor;
    border-width: 0 1.5px 1.5px 0;
    rotate: 45deg;
    pointer-events: none;
    content: '';
  }
`;
