import { css } from 'lit';

/** Styles of the pages for administrators. */
export const peopleStyles = css`
  .account {
    margin-inline-start: auto;
    color: var(--_muted);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .bar {
    flex-wrap: wrap;
    padding-block: 8px;
  }
  h1 {
    margin: 0 0 12px;
    font: 600 20px/28px var(--_font);
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin-block-end: 16px;
  }
  nav a {
    padding: 6px 12px;
    border-radius: var(--_control-radius);
    color: var(--_text);
    text-decoration: none;
  }
  nav a:hover {
    background: color-mix(in srgb, var(--_text) 6%, transparent);
  }
  nav a[aria-current='page'] {
    background: color-mix(in srgb, var(--_accent) 14%, transparent);
    font-weight: 600;
  }
  .sign-in {
    max-inline-size: 420px;
    margin: 32px auto;
    padding: 24px;
  }
  .sign-in form {
    display: grid;
    gap: 12px;
    margin-block: 16px 8px;
  }
  .button {
    display: block;
    margin-block: 16px 12px;
    padding: 6px 12px;
    border: 1px solid var(--_accent);
    border-radius: var(--_control-radius);
    text-align: center;
    text-decoration: none;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 12px 24px;
    margin-block-end: 12px;
  }
  .tools .field {
    flex: 0 1 320px;
  }
  form[aria-label] {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 8px 12px;
    margin-block-end: 12px;
  }
  form[aria-label] h2 {
    flex: 1 0 100%;
  }
  form[aria-label] .field {
    flex: 1 1 200px;
    max-inline-size: 280px;
  }
  .secret {
    max-inline-size: 640px;
    margin-block-end: 12px;
  }
  .secret code {
    display: block;
    margin-block-start: 8px;
    overflow-wrap: anywhere;
  }
  .scroll {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    /* Contains the hidden label of the last column. */
    position: relative;
    overflow-x: auto;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 13px;
  }
  th,
  td {
    padding: 8px 12px;
    border-block-end: 1px solid var(--_line);
    text-align: start;
    overflow-wrap: break-word;
  }
  td {
    min-inline-size: 80px;
  }
  th {
    color: var(--_muted);
    font-weight: 600;
    white-space: nowrap;
  }
  tbody tr:last-child td {
    border-block-end: 0;
  }
  /* The actions stay visible while a wide table is scrolled. */
  th:last-child,
  .actions {
    position: sticky;
    inset-inline-end: 0;
    background: var(--_surface);
  }
  .actions {
    text-align: end;
    white-space: nowrap;
  }
  @media (width < 900px) {
    .actions {
      white-space: normal;
    }
    .actions :is(a, button) {
      display: inline-block;
      white-space: nowrap;
    }
  }
  .actions a {
    padding: 4px 6px;
  }
  #more {
    margin-block-start: 12px;
  }
  dialog {
    max-inline-size: min(420px, 90vw);
    padding: 20px 24px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  .buttons {
    display: flex;
    justify-content: flex-end;
    gap: 8px;
    margin-block-start: 16px;
  }
  .danger {
    border-color: var(--_danger);
    color: var(--_danger);
  }
`;
