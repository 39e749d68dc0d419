import { css } from 'lit';

/** Styles of the console page. */
export const consoleStyles = css`
  :host {
    display: block;
    color-scheme: light dark;
  }
  header {
    border-block-end: 1px solid var(--_line);
    background: var(--_surface);
  }
  .bar,
  main {
    max-inline-size: 1440px;
    margin-inline: auto;
    padding-inline: 24px;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 56px;
  }
  .logo {
    display: flex;
    align-items: end;
    justify-content: center;
    gap: 2px;
    inline-size: 24px;
    block-size: 24px;
    padding: 6px;
    border-radius: 6px;
    background: var(--_accent);
  }
  .logo i {
    inline-size: 3px;
    block-size: 6px;
    border-radius: 1px;
    background: var(--pa-on-accent, light-dark(#fff, #0b1020));
  }
  .logo i:nth-child(2) {
    block-size: 12px;
  }
  .logo i:nth-child(3) {
    block-size: 9px;
  }
  .name {
    font-weight: 600;
    white-space: nowrap;
  }
  .version {
    color: var(--_muted);
    font-size: 12px;
  }
  .status {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-inline-start: auto;
    font-size: 13px;
  }
  .status::before {
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--_success);
    content: '';
  }
  .status.unavailable::before {
    background: var(--_danger);
  }
  #sign-out {
    margin-inline-start: 8px;
    white-space: nowrap;
  }
  main {
    padding-block: 24px 48px;
  }
  .intro {
    max-inline-size: 720px;
    margin-block: 16px 24px;
  }
  .intro h1 {
    margin: 0 0 8px;
    font: 600 28px/36px var(--_font);
  }
  .intro p {
    color: var(--_muted);
    font-size: 16px;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr));
    gap: 16px;
    margin-block-end: 16px;
  }
  .panel {
    min-inline-size: 0;
    padding: 20px 24px;
  }
  .panel h2 {
    margin-block-end: 8px;
    font-size: 16px;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 12px;
    margin-block: 16px 4px;
  }
  form .field {
    flex: 1 1 200px;
  }
  .error:not(:empty) {
    margin-block: 4px 8px;
  }
  ul {
    display: grid;
    gap: 8px;
    margin: 12px 0;
    padding: 0;
    list-style: none;
  }
  li {
    overflow-wrap: anywhere;
  }
  li strong,
  li a {
    margin-inline-end: 4px;
    font-weight: 600;
  }
  .embed p {
    margin-block: 12px 4px;
  }
  pre {
    margin: 0;
    padding: 12px 16px;
    border-radius: var(--_control-radius);
    background: color-mix(in srgb, var(--_text) 5%, var(--_surface));
    overflow-x: auto;
  }
  @media (width < 600px) {
    .bar,
    main {
      padding-inline: 16px;
    }
    main {
      padding-block: 16px 32px;
    }
    .version {
      display: none;
    }
    .panel {
      padding: 16px;
    }
    pre {
      padding: 12px;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  }
`;
