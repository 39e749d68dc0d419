import { css } from 'lit';

/** Styles of the calendar. */
export const calendarStyles = css`
  :host {
    --_day: 34px;
    display: block;
    position: relative;
    font: 400 13px/1.5 var(--_font);
  }
  .pager {
    display: flex;
    position: absolute;
    inset-inline: 0;
    inset-block-start: 0;
    align-items: center;
    pointer-events: none;
  }
  .pager > span {
    flex: 1;
  }
  .page {
    display: grid;
    place-items: center;
    inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
    pointer-events: auto;
  }
  .page:dir(rtl) svg {
    scale: -1 1;
  }
  .months {
    display: flex;
    justify-content: center;
    gap: 24px;
  }
  .title {
    block-size: 32px;
    font-weight: 600;
    line-height: 32px;
    text-align: center;
  }
  table {
    border-spacing: 0 2px;
    table-layout: fixed;
    inline-size: calc(7 * var(--_day));
  }
  th {
    overflow: hidden;
    color: var(--_muted);
    font-size: 12px;
    font-weight: 400;
    line-height: 24px;
    text-align: center;
  }
  td {
    block-size: var(--_day);
    padding: 0;
    text-align: center;
  }
  .day {
    cursor: pointer;
    outline: 0;
  }
  .day > span {
    display: grid;
    position: relative;
    box-sizing: border-box;
    place-items: center;
    block-size: var(--_day);
    border-radius: var(--_control-radius);
    font-variant-numeric: tabular-nums;
  }
  .day:hover > span {
    background: color-mix(in srgb, var(--_text) 8%, transparent);
  }
  .day:focus-visible > span {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
  }
  .beyond {
    color: var(--_muted);
  }
  .today > span::after {
    position: absolute;
    inset-block-end: 3px;
    inline-size: 4px;
    block-size: 4px;
    border-radius: 50%;
    background: currentColor;
    content: '';
  }
  .inside {
    background: color-mix(in srgb, var(--_accent) 14%, transparent);
  }
  .start {
    border-start-start-radius: var(--_control-radius);
    border-end-start-radius: var(--_control-radius);
  }
  .end {
    border-start-end-radius: var(--_control-radius);
    border-end-end-radius: var(--_control-radius);
  }
  .chosen > span,
  .chosen:hover > span {
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#fff, #0b1020));
    font-weight: 600;
  }
  .note {
    min-block-size: 18px;
    margin: 4px 0 0;
    color: var(--_muted);
    font-size: 12px;
    text-align: center;
  }
  @media (pointer: coarse) {
    :host {
      --_day: 44px;
    }
    .page {
      inline-size: 44px;
    }
    .title {
      block-size: 44px;
      line-height: 44px;
    }
  }
  /* Seven days of 44 px plus the padding of the sheet are wider than the smallest phones. */
  @media (width < 348px) {
    :host {
      --_day: calc((100vw - 34px) / 7);
    }
  }
  @media (forced-colors: active) {
    .inside {
      outline: 1px dashed Highlight;
    }
    .chosen > span {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
`;
