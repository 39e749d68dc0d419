import { css } from 'lit';
import { textButtonStyles } from '../text-button.styles.js';

/** Styles of a result, which is shown as a tile inside an answer. */
export const resultStyles = [
  textButtonStyles,
  css`
    :host {
      display: block;
      margin-block-start: 4px;
    }
    article {
      padding: 12px var(--_padding) 8px;
      border: 1px solid var(--_line);
      border-radius: var(--_radius);
      background: var(--_surface);
    }
    header {
      display: flex;
      flex-wrap: wrap;
      gap: 0 12px;
      align-items: start;
      justify-content: space-between;
      min-block-size: 28px;
      margin-block-end: 8px;
    }
    .heading {
      /* Next to a long heading, the switch takes its own line. */
      flex: 1 1 auto;
      min-inline-size: 0;
      max-inline-size: 100%;
      margin: 0;
      padding-block: 4px;
      font-weight: 600;
      line-height: 20px;
      overflow-wrap: anywhere;
    }
    .figures {
      display: flex;
      flex-wrap: wrap;
      gap: 8px 32px;
      margin: 0 0 4px;
    }
    .figures dt {
      color: var(--_muted);
      font-size: 12px;
    }
    .figures dd {
      margin: 0;
      font-size: 20px;
      font-weight: 600;
      font-variant-numeric: tabular-nums;
    }
    .switch {
      display: flex;
      flex: none;
      margin-inline-start: auto;
    }
    .switch button {
      min-block-size: 28px;
      padding-inline: 10px;
      border-radius: 0;
      color: var(--_muted);
      font-size: 12px;
    }
    .switch button:first-child {
      border-start-start-radius: var(--_control-radius);
      border-end-start-radius: var(--_control-radius);
    }
    .switch button:last-child {
      margin-inline-start: -1px;
      border-start-end-radius: var(--_control-radius);
      border-end-end-radius: var(--_control-radius);
    }
    .switch [aria-pressed='true'] {
      background: color-mix(in srgb, var(--_text) 9%, var(--_surface));
      color: var(--_text);
    }
    .body {
      position: relative;
    }
    .body > * {
      position: absolute;
      inset: 0;
    }
    .chart {
      /* Up to 40 categories have a label each. */
      --_natural: clamp(260px, calc(var(--_categories, 0) * 16px + 48px), 688px);
      block-size: var(--pa-chat-chart-height, var(--_natural));
    }
    .table {
      /* The heading takes at most two lines; a scrollbar takes its own space. */
      block-size: calc(var(--_rows, 1) * 32px + 48px);
    }
    .note {
      margin: 0 0 8px;
      color: var(--_muted);
      font-size: 13px;
    }
    footer {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 8px;
      align-items: center;
      margin-block-start: 4px;
      color: var(--_muted);
      font-size: 12px;
    }
    footer > :last-child {
      margin-inline-start: auto;
    }
    .error {
      color: var(--_danger);
    }
    @media (pointer: coarse) {
      .switch button {
        min-block-size: 44px;
      }
    }
    @media (forced-colors: active) {
      .switch [aria-pressed='true'] {
        outline: 2px solid Highlight;
        outline-offset: -3px;
      }
    }
    @media print {
      .switch,
      footer button {
        display: none;
      }
    }
  `,
];
