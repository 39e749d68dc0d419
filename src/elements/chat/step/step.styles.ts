import { css } from 'lit';
import { textButtonStyles } from '../text-button.styles.js';

/** Styles of a step. */
export const stepStyles = [
  textButtonStyles,
  css`
    :host {
      display: block;
      min-inline-size: 0;
    }
    summary {
      display: inline-flex;
      gap: 8px;
      align-items: center;
      max-inline-size: 100%;
      min-block-size: 32px;
      padding-inline: 0 4px;
      border-radius: var(--_control-radius);
      color: var(--_muted);
      font-size: 13px;
      cursor: pointer;
      list-style: none;
    }
    summary::-webkit-details-marker {
      display: none;
    }
    summary:hover {
      color: var(--_text);
    }
    summary svg {
      flex: none;
    }
    summary svg:last-child {
      inline-size: 14px;
      transition: rotate 120ms;
    }
    summary svg:last-child:dir(rtl) {
      rotate: 180deg;
    }
    details[open] summary svg:last-child {
      rotate: 90deg;
    }
    .failed summary,
    .error {
      color: var(--_danger);
    }
    .details {
      margin-block: 4px 12px;
      padding-inline-start: 24px;
      color: var(--_muted);
      font-size: 13px;
    }
    .details p {
      margin: 0 0 8px;
      overflow-wrap: anywhere;
    }
    figure {
      margin: 0;
    }
    figcaption {
      display: flex;
      align-items: center;
      justify-content: space-between;
      font-size: 12px;
    }
    pre {
      max-block-size: 320px;
      margin: 0;
      padding: 12px;
      overflow: auto;
      border: 1px solid var(--_line);
      border-radius: var(--_control-radius);
      color: var(--_text);
      font-size: 12px;
      line-height: 1.5;
      text-align: start;
    }
    @media (pointer: coarse) {
      summary {
        min-block-size: 44px;
      }
    }
    @media (prefers-reduced-motion: reduce) {
      summary svg:last-child {
        transition: none;
      }
    }
    @media print {
      details {
        display: none;
      }
    }
  `,
];
