import { css } from 'lit';

/** Styles of the button and panel with the saved views. */
export const viewsStyles = css`
  :host {
    display: contents;
  }
  .toggle {
    display: inline-flex;
    flex: 0 1 auto;
    gap: 6px;
    align-items: center;
    min-inline-size: 0;
    max-inline-size: 220px;
  }
  .toggle svg {
    flex: none;
  }
  .toggle span {
    line-height: 20px;
  }
  .toggle span,
  .name span,
  .name small {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  #panel {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    inline-size: min(360px, calc(100vw - 16px));
    max-block-size: calc(100vh - 16px);
    margin: 0;
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 8px 32px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
    overflow: auto;
  }
  #panel:focus {
    outline: none;
  }
  h3 {
    margin: 4px 8px;
    color: var(--_muted);
    font: 600 12px/16px var(--_font);
  }
  ul {
    margin: 0 0 8px;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
  }
  .name {
    display: flex;
    flex: 1;
    gap: 8px;
    align-items: center;
    min-inline-size: 0;
    padding: 0 8px;
    border: 0;
    background: none;
    line-height: 20px;
    text-align: start;
  }
  .name[aria-current] {
    color: var(--_accent);
    font-weight: 600;
  }
  .name small {
    flex: none;
    max-inline-size: 40%;
  }
  small,
  .hint {
    color: var(--_muted);
    font: 400 12px/20px var(--_font);
  }
  .icon {
    display: inline-flex;
    flex: none;
    align-items: center;
    justify-content: center;
    inline-size: 28px;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_muted);
  }
  .icon.on {
    color: var(--_accent);
  }
  .icon.on svg {
    fill: color-mix(in srgb, var(--_accent) 30%, transparent);
  }
  .name:hover,
  .icon:hover {
    background: color-mix(in srgb, var(--_text) 6%, var(--_surface));
  }
  .deleted {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    margin: 0 8px 8px;
    color: var(--_muted);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .undo {
    flex: none;
  }
  .hint,
  .reason {
    margin: 0 8px 8px;
  }
  .reason {
    color: var(--_danger);
    font-size: 12px;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    padding-block-start: 8px;
    border-block-start: 1px solid var(--_line);
  }
  input {
    box-sizing: border-box;
    flex: 1 1 120px;
    min-block-size: 32px;
    min-inline-size: 0;
    padding: 0 10px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: 400 13px/1.4 var(--_font);
  }
  input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .row {
    display: flex;
    gap: 8px;
  }
  .primary {
    border-color: transparent;
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#ffffff, #0b1020));
  }
  .primary:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  @media (pointer: coarse) {
    input {
      min-block-size: 44px;
      font-size: 16px;
    }
    .icon {
      inline-size: 44px;
    }
    li {
      flex-wrap: wrap;
    }
    .name {
      flex-basis: 100%;
    }
  }
  @media print {
    :host {
      display: none;
    }
  }
`;
