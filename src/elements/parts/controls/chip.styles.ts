import { css } from 'lit';

/**
 * A control as a chip. Its width depends on the text in `data-sizer` and a reserve for values, but not on the current
 * value, so that choosing a value does not move other controls.
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
  [data-sizer]::before {
    grid-area: 1 / 1;
    block-size: 0;
    padding-inline-end: var(--_chip-reserve, 64px);
    font-weight: 500;
    white-space: nowrap;
    overflow: hidden;
    visibility: hidden;
    content: attr(data-sizer);
  }
  .text {
    grid-area: 1 / 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [data-sizer] > .text {
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

/**
 * Styles of a control with a native `<select>`: the select is transparent and covers the chip, which shows the label
 * and the value.
 */
export const controlStyles = css`
  [part='control']:has(select:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  /* The longest option sets the width. */
  .listed::before {
    max-inline-size: 240px;
    padding-inline-end: 0;
  }
  select {
    position: absolute;
    inset: 0;
    box-sizing: border-box;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    padding: 0 12px;
    border: 0;
    border-radius: inherit;
    appearance: none;
    opacity: 0;
    font: 400 13px/1.5 var(--_font);
    cursor: pointer;
  }
  option {
    background: var(--_surface);
    color: var(--_text);
  }
`;

/** Styles of the chip and the popover of a filter. */
export const filterStyles = css`
  [popover] {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    inline-size: max-content;
    max-inline-size: calc(100vw - 16px);
    max-block-size: min(520px, calc(100vh - 16px));
    margin: 0;
    --_panel-padding: 12px;
    padding: var(--_panel-padding);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 4px 16px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 13px/1.5 var(--_font);
    overflow: hidden;
  }
  [popover]:popover-open {
    display: flex;
    flex-direction: column;
  }
  [popover]:focus {
    outline: 0;
  }
  [popover]::backdrop {
    background: none;
  }
  /* In narrow windows, the panel is a sheet at the lower edge, because it would cover its chip. */
  @media (width < 600px) {
    [popover] {
      inset: auto 0 0;
      inline-size: 100%;
      max-inline-size: none;
      max-block-size: 85vh;
      max-block-size: 85dvh;
      --_panel-padding: 16px;
      padding-block-end: max(16px, env(safe-area-inset-bottom));
      border-width: 1px 0 0;
      border-end-start-radius: 0;
      border-end-end-radius: 0;
    }
    [popover]::backdrop {
      background: rgb(0 0 0 / 40%);
    }
  }
  /*
   * With a flex basis of 0, WebKit gives the panel only its minimum height, because the popover has no explicit height.
   */
  pa-filter-panel {
    flex: 1 1 auto;
    min-block-size: 60px;
  }
`;
