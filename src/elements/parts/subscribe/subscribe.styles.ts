import { css } from 'lit';

/** Styles of the subscribe button and its dialog. */
export const subscribeStyles = css`
  :host {
    display: contents;
  }
  .open {
    flex: none;
  }
  dialog {
    box-sizing: border-box;
    inline-size: min(520px, calc(100vw - 32px));
    max-block-size: calc(100dvh - 32px);
    padding: 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
    overflow-wrap: anywhere;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  .head {
    display: flex;
    gap: 8px;
    align-items: start;
    justify-content: space-between;
  }
  #title {
    font: 600 16px/32px var(--_font);
  }
  #own {
    margin-block-start: 16px;
    padding-block-start: 16px;
    border-block-start: 1px solid var(--_line);
    font: 600 14px/20px var(--_font);
  }
  p {
    margin: 4px 0;
  }
  form {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 180px), 1fr));
    gap: 12px;
    margin-block-start: 12px;
  }
  label {
    display: grid;
    gap: 4px;
    color: var(--_muted);
    font: 500 12px/16px var(--_font);
  }
  select,
  input {
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 32px;
    padding: 0 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 13px/1 var(--_font);
  }
  .submit {
    display: flex;
    grid-column: 1 / -1;
    flex-wrap: wrap;
    gap: 8px 16px;
    align-items: center;
    justify-content: space-between;
  }
  .submit button {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_surface);
  }
  .muted {
    color: var(--_muted);
    font-size: 12px;
  }
  .problem {
    color: var(--_danger);
  }
  ul {
    display: grid;
    gap: 12px;
    margin: 8px 0 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
  }
  li > div:first-child {
    flex: 1 1 220px;
  }
  li p {
    margin: 0;
  }
  .actions {
    display: flex;
    gap: 8px;
  }
  @media (pointer: coarse) {
    select,
    input {
      min-block-size: 44px;
    }
  }
  @media print {
    .open,
    dialog {
      display: none;
    }
  }
`;
