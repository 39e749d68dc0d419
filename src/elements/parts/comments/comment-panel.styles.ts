import { css } from 'lit';

const link = css`
  .link {
    min-block-size: 24px;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_muted);
    font: 400 12px/16px var(--_font);
  }
  .link:hover {
    background: none;
    color: var(--_text);
    text-decoration: underline;
  }
  .link.strong {
    color: var(--_accent);
    font-weight: 600;
  }
  .context {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    max-inline-size: 100%;
    min-block-size: 24px;
    padding: 2px 8px;
    border-color: var(--_line);
    border-radius: 12px;
    background: color-mix(in srgb, var(--_accent) 8%, var(--_surface));
    font: 400 12px/16px var(--_font);
  }
  .context span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .context svg {
    flex: none;
    inline-size: 14px;
    block-size: 14px;
  }
  .reason {
    margin: 4px 0;
    color: var(--_danger);
    font-size: 12px;
  }
  @media (pointer: coarse) {
    .link,
    .context {
      min-block-size: 44px;
    }
    .context {
      border-radius: 22px;
    }
  }
`;

/** Styles of the panel with the comments. */
export const panelStyles = css`
  ${link}
  section {
    position: fixed;
    inset: 0;
    inset-inline-start: auto;
    box-sizing: border-box;
    inline-size: min(400px, 100vw);
    block-size: 100%;
    max-block-size: none;
    margin: 0;
    padding: 0;
    border: 0 solid var(--_line);
    border-inline-start-width: 1px;
    background: var(--_surface);
    box-shadow: 0 0 24px rgb(0 0 0 / 16%);
    color: var(--_text);
    font: 400 14px/1.5 var(--_font);
    text-align: start;
    overflow: hidden;
  }
  section.start {
    inset-inline: 0 auto;
    border-inline-width: 0 1px;
  }
  section:popover-open {
    display: flex;
    flex-direction: column;
  }
  section:focus,
  .list:focus {
    outline: none;
  }
  section > header {
    display: flex;
    flex: none;
    gap: 8px;
    align-items: center;
    padding: 12px 16px;
    border-block-end: 1px solid var(--_line);
  }
  h2 {
    flex: 1;
    margin: 0;
    font: 600 16px/24px var(--_font);
  }
  select {
    min-block-size: 32px;
    padding: 0 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: 400 13px/1 var(--_font);
  }
  .icon {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
  }
  .list {
    flex: 1;
    min-block-size: 0;
    padding: 0 16px;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .further {
    display: block;
    margin: 12px auto;
  }
  .delayed {
    block-size: 200px;
    padding-block: 16px;
  }
  footer {
    flex: none;
    max-block-size: 60%;
    padding: 12px 16px;
    border-block-start: 1px solid var(--_line);
    overflow-y: auto;
  }
  footer .context {
    margin-block-end: 8px;
  }
  @media (pointer: coarse) {
    select {
      min-block-size: 44px;
    }
    .icon {
      inline-size: 44px;
    }
  }
`;

/** Styles of a thread of comments. */
export const threadStyles = css`
  ${link}
  :host {
    display: block;
    border-block-end: 1px solid var(--_line);
  }
  :host(:last-of-type) {
    border-block-end: 0;
  }
  .thread {
    padding-block: 16px 12px;
  }
  article {
    margin-block-start: 8px;
    border-radius: 4px;
  }
  article:focus {
    background: color-mix(in srgb, var(--_accent) 8%, var(--_surface));
    box-shadow: 0 0 0 6px color-mix(in srgb, var(--_accent) 8%, var(--_surface));
    outline: none;
  }
  .replies {
    padding-inline-start: 16px;
    border-inline-start: 2px solid var(--_line);
  }
  .replies:not(:has(*)) {
    display: none;
  }
  .replies:has(*) {
    margin-block-start: 12px;
  }
  .replies > :first-child {
    margin-block-start: 0;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 8px;
    align-items: baseline;
  }
  .name {
    min-inline-size: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  time,
  .edited,
  .gone {
    color: var(--_muted);
    font-size: 12px;
  }
  .gone {
    margin: 8px 0 0;
    font-style: italic;
  }
  .new {
    padding: 0 6px;
    border-radius: 8px;
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#ffffff, #0b1020));
    font: 600 11px/16px var(--_font);
  }
  .body {
    margin: 2px 0 0;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .mention {
    color: var(--_accent);
    font-weight: 500;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0 16px;
    margin-block-start: 4px;
  }
  .confirm {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    margin-block-start: 8px;
  }
  .confirm p {
    flex-basis: 100%;
    margin: 0;
  }
  pa-comment-composer {
    display: block;
    margin-block-start: 8px;
  }
`;

/** Styles of the field for a comment. */
export const composerStyles = css`
  :host {
    display: block;
  }
  textarea {
    display: block;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: calc(2 * 1.5em + 16px);
    max-block-size: calc(8 * 1.5em + 16px);
    padding: 7px 10px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: 400 14px/1.5 var(--_font);
    resize: vertical;
    field-sizing: content;
  }
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  ul {
    max-block-size: 220px;
    margin: 4px 0 0;
    padding: 4px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    list-style: none;
    overflow-y: auto;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    padding: 6px 8px;
    border-radius: 4px;
    font-size: 13px;
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  li[aria-selected='true'],
  li:hover {
    background: color-mix(in srgb, var(--_text) 8%, var(--_surface));
  }
  .more {
    color: var(--_muted);
  }
  p {
    margin: 4px 0 0;
    color: var(--_muted);
    font-size: 12px;
  }
  .row {
    display: flex;
    gap: 8px;
    justify-content: end;
    margin-block-start: 8px;
  }
  .primary {
    border-color: transparent;
    background: var(--_accent);
    color: var(--pa-on-accent, light-dark(#ffffff, #0b1020));
  }
  .primary:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  .primary:disabled {
    border-color: var(--_line);
    background: none;
    color: var(--_muted);
    cursor: default;
  }
  @media (pointer: coarse) {
    textarea {
      /* Phones zoom in on inputs with a font below 16 px. */
      font-size: 16px;
    }
    li {
      min-block-size: 32px;
    }
  }
  @media (forced-colors: active) {
    li[aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
