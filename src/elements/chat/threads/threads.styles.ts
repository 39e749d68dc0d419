import { css } from 'lit';

/** Styles of the list of conversations. */
export const threadsStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
  }
  :host([hidden]) {
    display: none;
  }
  nav {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .new {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  ul {
    display: flex;
    flex-direction: column;
    gap: 2px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    position: relative;
    align-items: center;
    border-radius: var(--_control-radius);
  }
  li:hover,
  li:focus-within {
    background: color-mix(in srgb, var(--_text) 5%, transparent);
  }
  li.current {
    background: color-mix(in srgb, var(--_accent) 12%, transparent);
  }
  .open {
    display: flex;
    flex: 1;
    gap: 8px;
    align-items: baseline;
    min-inline-size: 0;
    min-block-size: 36px;
    padding: 0 8px;
    border-color: transparent;
    background: none;
    line-height: 36px;
    text-align: start;
  }
  .open:hover {
    background: none;
  }
  .title {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    font-weight: 400;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .current .title {
    font-weight: 600;
  }
  .time {
    flex: none;
    color: var(--_muted);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  .actions {
    display: flex;
    flex: none;
    opacity: 0;
    inline-size: 0;
    overflow: hidden;
  }
  li:hover .actions,
  li:focus-within .actions {
    opacity: 1;
    inline-size: auto;
    overflow: visible;
  }
  .actions button {
    inline-size: 28px;
    padding: 0;
    justify-content: center;
  }
  .edit {
    display: flex;
    flex: 1;
    gap: 6px;
    align-items: center;
    min-inline-size: 0;
    padding: 2px 4px 2px 8px;
    font-size: 13px;
  }
  .edit span,
  .edit input {
    flex: 1;
    min-inline-size: 0;
  }
  .edit input {
    box-sizing: border-box;
    block-size: 32px;
    padding: 0 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }
  .danger,
  .error {
    color: var(--_danger);
  }
  .note,
  .error {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  .error:empty {
    display: none;
  }
  @media (hover: none) {
    .actions {
      opacity: 1;
      inline-size: auto;
      overflow: visible;
    }
    .actions button {
      inline-size: 44px;
    }
  }
`;
