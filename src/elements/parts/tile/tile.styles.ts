import { css } from 'lit';

/** Styles of a tile. */
export const tileStyles = css`
  :host {
    display: block;
    block-size: 100%;
    min-inline-size: 0;
  }
  article {
    position: relative;
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    block-size: 100%;
    padding: var(--_padding);
    border: 1px solid var(--_line);
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
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    min-block-size: 22px;
    margin-block-end: 12px;
    container-type: inline-size;
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  h6 {
    flex: 1;
    min-inline-size: 48px;
    margin: 0;
    overflow: hidden;
    font: 600 14px/22px var(--_font);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  pa-hint {
    flex: 0 1 auto;
    min-inline-size: 24px;
  }
  /* Where it is narrow a title has its line for itself, and the marks stand below. */
  @container (max-width: 400px) {
    header:not(.bare) > [part='heading']:has(~ pa-hint) {
      flex-basis: 100%;
    }
  }
  .bare:not(:has(pa-hint)) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .bare > :first-child {
    opacity: 0;
  }
  .body {
    position: relative;
    flex: 1;
    min-block-size: 0;
    transition: opacity 120ms;
  }
  .body.stale {
    opacity: 0.9;
  }
  .body > * {
    position: absolute;
    inset: 0;
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
  @media (prefers-reduced-motion: reduce) {
    .body {
      transition: none;
    }
  }
  @media print {
    article {
      break-inside: avoid;
    }
  }
`;
