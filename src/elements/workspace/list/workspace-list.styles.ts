import { css } from 'lit';

/** Styles of the list of a workspace. */
export const workspaceListStyles = css`
  :host {
    display: block;
    position: relative;
    container-type: inline-size;
  }
  .head,
  .tools,
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
    margin-block-end: 12px;
  }
  .title {
    flex: 1;
    min-inline-size: 0;
  }
  [part='heading'] {
    margin: 0;
    font: 600 20px/28px var(--_font);
    overflow-wrap: anywhere;
  }
  .segments {
    display: flex;
    gap: 2px;
    padding: 2px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--_text) 7%, transparent);
  }
  .segments button {
    min-block-size: 28px;
    border-color: transparent;
    background: none;
  }
  .segments button[aria-pressed='true'] {
    border-color: var(--_line);
    background: var(--_surface);
  }
  .search {
    display: flex;
    flex: 1 1 200px;
    align-items: center;
    position: relative;
  }
  .search svg {
    position: absolute;
    inset-inline-start: 10px;
    color: var(--_muted);
    pointer-events: none;
  }
  .search input {
    inline-size: 100%;
    padding-inline-start: 34px;
  }
  .favorites[aria-pressed='true'] {
    border-color: var(--_accent);
    color: var(--_accent);
  }
  .favorites[aria-pressed='true'] svg,
  .star.on svg {
    fill: color-mix(in srgb, currentcolor 30%, transparent);
  }
  @media (forced-colors: active) {
    .segments button[aria-pressed='true'],
    .favorites[aria-pressed='true'] {
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
  }
  .star {
    display: inline-flex;
    flex: none;
    align-items: center;
    justify-content: center;
    inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .star:hover {
    background: color-mix(in srgb, var(--_text) 8%, transparent);
  }
  .star.on {
    color: var(--_accent);
  }
  .order {
    display: flex;
    gap: 6px;
    align-items: center;
    color: var(--_muted);
    font-size: 13px;
  }
  button svg {
    flex: none;
  }
  .wide,
  .back {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .back {
    padding-inline: 6px 10px;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  :host(:dir(rtl)) .back svg,
  :host(:dir(rtl)) .chevron svg {
    transform: scaleX(-1);
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    align-items: center;
    margin-block-end: 8px;
    font-size: 13px;
  }
  nav svg {
    display: block;
    color: var(--_muted);
  }
  nav strong {
    padding: 0 6px;
  }
  .link {
    min-block-size: 28px;
    padding: 0 6px;
    border-color: transparent;
    background: none;
    color: var(--_accent);
  }
  .problem {
    margin: 0 0 8px;
    color: var(--_danger);
    font-size: 13px;
  }
  .problem:empty {
    display: none;
  }
  ul,
  .panel {
    box-sizing: border-box;
    margin: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .panel {
    min-block-size: 240px;
    padding: 40px 16px;
  }
  .panel.loading {
    block-size: 240px;
    padding-block: 16px;
  }
  ul {
    padding: 0;
    overflow: hidden;
    list-style: none;
  }
  .stale {
    opacity: 0.9;
  }
  li {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 44px;
    padding-inline: 4px;
    content-visibility: auto;
    contain-intrinsic-block-size: 44px;
  }
  li + li {
    border-block-start: 1px solid var(--_line);
  }
  li:hover {
    background: color-mix(in srgb, var(--_text) 4%, transparent);
  }
  .open {
    display: flex;
    flex: 1;
    gap: 10px;
    align-items: center;
    min-inline-size: 0;
    min-block-size: 44px;
    padding: 0 8px;
    border-color: transparent;
    background: none;
    font: 500 14px/1.4 var(--_font);
    text-align: start;
  }
  .open:hover {
    background: none;
  }
  .open:focus-visible {
    outline-offset: -2px;
  }
  .kind {
    display: flex;
    color: var(--_accent);
  }
  .kind.folder {
    color: var(--_muted);
  }
  .name,
  .where {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .where {
    flex-shrink: 2;
    color: var(--_muted);
    font-size: 12px;
    font-weight: 400;
  }
  .badge {
    flex: none;
    padding: 0 8px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    color: var(--_muted);
    font: 400 12px/20px var(--_font);
  }
  .badge.live {
    border-color: color-mix(in srgb, var(--_success) 45%, transparent);
    color: var(--_success);
  }
  time {
    flex: none;
    min-inline-size: 64px;
    color: var(--_muted);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  .more {
    display: block;
    margin: 12px auto 0;
  }
  .toast {
    display: flex;
    gap: 12px;
    align-items: center;
    position: sticky;
    inset-block-end: 16px;
    inline-size: fit-content;
    max-inline-size: calc(100% - 32px);
    box-sizing: border-box;
    margin: 16px auto 0;
    padding: 6px 8px 6px 16px;
    border-radius: 8px;
    background: var(--_text);
    box-shadow: 0 4px 16px rgb(0 0 0 / 24%);
    color: var(--_surface);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .toast[hidden] {
    display: none;
  }
  .toast:dir(rtl) {
    padding: 6px 16px 6px 8px;
  }
  .undo {
    flex: none;
    min-block-size: 28px;
    border-color: transparent;
    background: color-mix(in srgb, var(--_surface) 18%, transparent);
    color: inherit;
    font-weight: 600;
  }
  .undo:hover {
    background: color-mix(in srgb, var(--_surface) 30%, transparent);
  }
  @container (inline-size < 520px) {
    time,
    .order span {
      display: none;
    }
    .wide {
      flex: 1;
      justify-content: center;
    }
    li {
      gap: 4px;
    }
    .name {
      display: -webkit-box;
      white-space: normal;
      overflow-wrap: anywhere;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
    }
    .segments {
      inline-size: 100%;
    }
    .segments button {
      flex: 1;
    }
  }
`;
