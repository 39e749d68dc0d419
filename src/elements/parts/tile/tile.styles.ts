import { css } from 'lit';

/** Styles of a tile. */
export const tileStyles = css`
  :host {
    display: block;
    block-size: 100%;
    min-inline-size: 0;
  }
  :host([data-marked]) {
    border-radius: var(--_radius);
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  article {
    position: relative;
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    block-size: 100%;
    padding: var(--_padding);
    border: var(--_tile-border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  article.text {
    padding: 0;
    border-color: transparent;
    background: none;
  }
  header {
    display: flex;
    flex: none;
    align-items: start;
    gap: 4px;
    /* As high as the tallest heading of equal tiles in the row, so that their figures align. */
    min-block-size: max(24px, var(--_row-heading, 0px));
    margin-block-end: 12px;
    container-type: inline-size;
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  h6 {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    line-clamp: 3;
    -webkit-line-clamp: 3;
    flex: 1;
    min-inline-size: 48px;
    margin: 1px 0;
    overflow: hidden;
    color: var(--_title-color);
    font: var(--_title-weight) var(--_title-size) / 1.5714 var(--_title-font);
    overflow-wrap: break-word;
  }
  pa-hint {
    flex: 0 1 auto;
    min-inline-size: 24px;
  }
  .corner {
    position: absolute;
    z-index: 2;
    inset-block-start: 2px;
    inset-inline-end: 4px;
    display: flex;
  }
  .menu {
    display: inline-flex;
    flex: none;
    align-items: center;
    justify-content: center;
    min-block-size: 24px;
    inline-size: 28px;
    margin-inline-end: -6px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
    opacity: 0;
  }
  article:hover .menu,
  article:focus-within .menu,
  .menu[aria-expanded='true'] {
    opacity: 1;
  }
  /* Without a heading or badges the header takes no space; its button overlays the corner. */
  .bare:not(:has(pa-hint)) {
    position: absolute;
    inset-block-start: 4px;
    inset-inline-end: 14px;
    z-index: 1;
    inline-size: 22px;
    margin: 0;
  }
  .bare > :first-child {
    position: absolute;
    min-inline-size: 0;
    inline-size: 1px;
    block-size: 1px;
    clip-path: inset(50%);
  }
  .bare > .menu {
    margin-inline-start: auto;
  }
  /* The button is always visible on touch screens. */
  @media (hover: none) {
    .menu {
      position: relative;
      opacity: 1;
    }
    .menu::after {
      position: absolute;
      inset: -10px -8px;
      content: '';
    }
  }
  article:fullscreen {
    border: 0;
    border-radius: 0;
  }
  dialog.full {
    box-sizing: border-box;
    inline-size: 100vw;
    block-size: 100dvh;
    max-inline-size: none;
    max-block-size: none;
    padding: 0;
    border: 0;
    background: var(--_surface);
    color: inherit;
  }
  dialog.full > article {
    border: 0;
    border-radius: 0;
  }
  .body {
    position: relative;
    flex: 1;
    min-block-size: 0;
  }
  /*
   * The previous rows stay readable: a bar at the edge of the tile shows that new rows load. Only transforms are
   * animated, because an animated background is painted again in each frame.
   */
  .body.stale::before,
  .body.stale::after {
    position: absolute;
    z-index: 1;
    inset-block-start: -8px;
    left: 0;
    inline-size: 100%;
    block-size: 2px;
    border-radius: 1px;
    background: var(--_line);
    content: '';
  }
  .body.stale::after {
    inline-size: 30%;
    background: var(--_accent);
    animation: pa-tile-loading 1.2s ease-in-out infinite alternate;
  }
  @keyframes pa-tile-loading {
    to {
      transform: translateX(calc(700% / 3));
    }
  }
  .body > * {
    position: absolute;
    inset: 0;
  }
  /* Without a heading, short HTML is centered in its tile. */
  .bare ~ .body > pa-tile-html {
    align-content: safe center;
  }
  pa-tile-wait {
    position: absolute;
    inset-block-end: var(--_padding);
    inset-inline: var(--_padding);
  }
  .message {
    overflow: auto;
    container-type: size;
  }
  .quiet {
    display: grid;
    place-content: center;
    block-size: 100%;
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  @media (prefers-reduced-motion: reduce) {
    .body.stale::after {
      inline-size: 100%;
      animation: none;
    }
  }
  /* As high as its grid cell, or higher if the content must be printed in full. */
  @media print {
    :host {
      display: grid;
      block-size: auto;
    }
    article {
      block-size: auto;
      break-inside: avoid;
    }
    .body {
      flex-basis: auto;
    }
    .body > pa-tile-table,
    .body > pa-tile-text {
      position: static;
    }
    .menu {
      display: none;
    }
  }
`;
