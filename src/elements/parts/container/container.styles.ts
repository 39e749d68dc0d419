import { css, unsafeCSS } from 'lit';
import { containerHeights } from '../../../report/layout/widget-board.js';

const px = (value: number) => unsafeCSS(`${value}px`);

/**
 * Styles of a container. The dashboard layout assumes these heights of the heading and the tab bar. A closed tab keeps
 * its size, so that its content does not re-render when it is opened again.
 */
export const containerStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    block-size: 100%;
    min-inline-size: 0;
  }
  :is(h1, h2, h3, h4, h5, h6) {
    flex: none;
    block-size: 22px;
    margin: 0 0 ${px(containerHeights.heading - 22)};
    overflow: hidden;
    color: var(--_title-color);
    font: var(--_title-weight) 14px/22px var(--_title-font);
    text-align: -webkit-match-parent;
    text-align: match-parent;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .tabs {
    display: flex;
    flex: none;
    gap: 4px;
    box-sizing: border-box;
    block-size: ${px(containerHeights.tabs - 12)};
    margin-block-end: 12px;
    border-block-end: 1px solid var(--_line);
    overflow: auto hidden;
    scrollbar-width: thin;
  }
  button {
    position: relative;
    flex: none;
    max-inline-size: min(240px, 80%);
    padding: 0 12px;
    overflow: hidden;
    border: 0;
    border-radius: var(--_control-radius) var(--_control-radius) 0 0;
    background: none;
    color: var(--_muted);
    font: 500 13px/1 var(--_font);
    text-overflow: ellipsis;
    white-space: nowrap;
    cursor: pointer;
  }
  button:hover {
    background: color-mix(in srgb, var(--_text) 6%, transparent);
  }
  button[aria-selected='true'] {
    color: var(--_text);
  }
  button[aria-selected='true']::after {
    position: absolute;
    inset-inline: 0;
    inset-block-end: 0;
    border-block-end: 2px solid var(--_accent);
    content: '';
  }
  button:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .body {
    display: grid;
    flex: 1;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    min-block-size: 0;
  }
  .panel {
    grid-area: 1 / 1;
    min-inline-size: 0;
    min-block-size: 0;
    border-radius: var(--_radius);
  }
  .panel:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .panel[inert] {
    visibility: hidden;
    opacity: 0;
  }
  .panel > :is(h1, h2, h3, h4, h5, h6) {
    display: none;
  }
  @media print {
    .tabs {
      display: none;
    }
    :host,
    .body {
      display: block;
      block-size: auto;
    }
    .panel[inert] {
      visibility: visible;
      opacity: 1;
    }
    .panel.unopened {
      display: none;
    }
    .panel + .panel {
      margin-block-start: 24px;
    }
    .panel > :is(h1, h2, h3, h4, h5, h6) {
      display: block;
      break-after: avoid;
    }
  }
`;
