import { css } from 'lit';

/** Styles of the grid on which tiles are arranged. */
export const editGridStyles = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  pa-controls {
    display: block;
    margin-block-end: 12px;
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
    grid-auto-rows: var(--row-height);
    gap: 16px;
    /* Headers of tiles and tables stay below the bar of the editor. */
    isolation: isolate;
    /* Tiles that a drag displaces must not scroll the page, which would undo the scrolling at the edges. */
    overflow-anchor: none;
  }
  .tile {
    display: flex;
    flex-direction: column;
    position: relative;
    box-sizing: border-box;
    min-inline-size: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .tile:hover,
  .tile:focus-within {
    border-color: var(--_control);
  }
  .placeholder {
    border: 2px dashed var(--_accent);
    border-radius: var(--_radius);
    background: color-mix(in srgb, var(--_accent) 8%, transparent);
  }
  .placeholder[hidden] {
    display: none;
  }
  .tile.dragged {
    z-index: 2;
    border-color: var(--_accent);
    box-shadow: 0 8px 24px rgb(0 0 0 / 20%);
    user-select: none;
  }
  header {
    /* The focus ring is above the body. */
    position: relative;
    z-index: 1;
    display: flex;
    flex: none;
    align-items: center;
    padding: 4px 4px 0 6px;
  }
  header:dir(rtl) {
    padding: 4px 6px 0 4px;
  }
  .handle {
    display: flex;
    flex: 1;
    gap: 6px;
    align-items: center;
    min-inline-size: 0;
    padding: 0 6px;
    border-color: transparent;
    background: none;
    font: 600 14px/1.4 var(--_font);
    text-align: start;
    cursor: grab;
    touch-action: manipulation;
    user-select: none;
  }
  /* A swipe over the title scrolls the page; the grip starts a drag. */
  .grip {
    display: inline-flex;
    flex: none;
    align-items: center;
    align-self: stretch;
    color: var(--_muted);
    touch-action: none;
  }
  .name {
    padding: 8px;
    font: 600 14px/1.4 var(--_font);
  }
  .handle:active {
    cursor: grabbing;
  }
  .name,
  .handle .label {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .body {
    flex: 1;
    min-block-size: 0;
    padding: 0 var(--_padding) var(--_padding);
    overflow: hidden;
  }
  pa-tile {
    block-size: 100%;
  }
  pa-tile::part(tile) {
    padding: 0;
    border: 0;
    background: none;
  }
  pa-tile::part(header) {
    display: none;
  }
  .note {
    margin: 8px 0;
    color: var(--_muted);
    font-size: 13px;
  }
  .inside {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 0;
    padding: 0;
    list-style: none;
    overflow: auto;
  }
  .inside li {
    position: relative;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    box-sizing: border-box;
    max-inline-size: 100%;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    font-size: 13px;
  }
  .chip > span {
    padding: 6px 10px;
  }
  .inner-handle {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    min-inline-size: 0;
    padding: 0 8px;
    border-color: transparent;
    background: none;
    cursor: grab;
    touch-action: manipulation;
    user-select: none;
  }
  .inner-handle .label {
    overflow: hidden;
    line-height: 1.5;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .inside li.nesting {
    flex-basis: 100%;
  }
  .inside li.dragged {
    opacity: 0.6;
  }
  /* The position at which a dragged tile is inserted. */
  .inside li.insert-before::before,
  .inside li.insert-after::after {
    position: absolute;
    inset-block: 0;
    inline-size: 2px;
    border-radius: 1px;
    background: var(--_accent);
    content: '';
  }
  .inside li.insert-before::before {
    inset-inline-start: -5px;
  }
  .inside li.insert-after::after {
    inset-inline-end: -5px;
  }
  .nested {
    margin-block-start: 4px;
    padding: 4px 12px 12px;
    border: 1px dashed var(--_line);
    border-radius: var(--_control-radius);
  }
  [data-container].target {
    outline: 2px dashed var(--_accent);
    outline-offset: -4px;
  }
  .resize {
    position: absolute;
    inset-block-end: 2px;
    inset-inline-end: 2px;
    inline-size: 20px;
    block-size: 20px;
    border-end-end-radius: calc(var(--_radius) - 2px);
    background:
      linear-gradient(135deg, transparent 62%, var(--_control) 62% 68%, transparent 68% 80%, var(--_control) 80% 86%, transparent 86%);
    cursor: nwse-resize;
    touch-action: none;
  }
  :dir(rtl) > .resize {
    transform: scaleX(-1);
    cursor: nesw-resize;
  }
  @media (pointer: coarse) {
    .handle,
    .inner-handle {
      padding-inline-start: 0;
    }
    .grip {
      justify-content: center;
      min-inline-size: 40px;
    }
    .resize {
      inline-size: 32px;
      block-size: 32px;
    }
  }
  @media (forced-colors: active) {
    .grip {
      color: ButtonText;
    }
    .resize {
      border-block-end: 3px solid ButtonText;
      border-inline-end: 3px solid ButtonText;
      background: none;
    }
    .inside li.insert-before::before,
    .inside li.insert-after::after {
      background: Highlight;
    }
    .tile.dragged,
    [data-container].target {
      outline: 2px dashed Highlight;
    }
  }
  /* On phones, tiles are stacked in reading order. */
  @container (inline-size < 720px) {
    .grid:not(.narrow) {
      display: flex;
      flex-direction: column;
      gap: 12px;
    }
    .grid:not(.narrow) > .tile {
      block-size: 280px;
    }
    .grid:not(.narrow) > .tile.figure {
      block-size: 148px;
    }
    .grid:not(.narrow) > .tile.text {
      block-size: auto;
      min-block-size: 96px;
    }
    /* Nothing is dragged on the grid, so a swipe over a title scrolls the page. */
    .grid:not(.narrow) > .tile > header > .handle {
      cursor: default;
    }
    .grid:not(.narrow) > .tile > header .grip {
      touch-action: auto;
    }
    .resize {
      display: none;
    }
  }
`;
