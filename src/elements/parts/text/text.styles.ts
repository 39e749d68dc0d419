import { css } from 'lit';

/** Styles of a text. */
export const textStyles = css`
  :host {
    display: block;
    overflow: auto;
    scrollbar-width: thin;
    overflow-wrap: break-word;
  }
  :host > :first-child,
  .text > :first-child {
    margin-block-start: 0;
  }
  .text > :last-child {
    margin-block-end: 0;
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  h6 {
    margin: 16px 0 4px;
    font: 600 14px/22px var(--_font);
  }
  .text > :is(h1, h2, h3):first-child {
    font-size: 16px;
    line-height: 24px;
  }
  p,
  ul,
  ol,
  blockquote,
  pre,
  table {
    margin: 0 0 8px;
  }
  ul,
  ol {
    padding-inline-start: 20px;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 2px;
  }
  code {
    padding: 1px 4px;
    border-radius: 4px;
    background: color-mix(in srgb, var(--_text) 7%, transparent);
    font: 12px/1.5 ui-monospace, monospace;
  }
  pre {
    padding: 8px 12px;
    overflow: auto;
    border-radius: var(--_control-radius);
    background: color-mix(in srgb, var(--_text) 5%, transparent);
  }
  pre code {
    padding: 0;
    background: none;
  }
  blockquote {
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }
  hr {
    margin: 12px 0;
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  table {
    border-collapse: collapse;
    font-size: 13px;
  }
  th,
  td {
    padding: 4px 12px 4px 0;
    border-block-end: 1px solid var(--_line);
    text-align: start;
  }
  .end {
    text-align: end;
  }
  .center {
    text-align: center;
  }
`;
