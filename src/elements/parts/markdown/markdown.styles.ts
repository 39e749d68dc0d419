import { css } from 'lit';

/** Styles of rendered Markdown, inside an element of the class `markdown`. */
export const markdownStyles = css`
  .markdown {
    overflow-wrap: break-word;
  }
  /* Isolates the layout of each block; otherwise the browser lays out all blocks in each frame. */
  .markdown > * {
    contain: content;
    overflow-clip-margin: 32px;
  }
  .markdown :is(h1, h2, h3, h4, h5, h6) {
    margin: 16px 0 4px;
    font: 600 14px/22px var(--_font);
  }
  .markdown > :is(h1, h2, h3):first-child {
    font-size: 16px;
    line-height: 24px;
  }
  .markdown :is(p, ul, ol, blockquote, .code, .wide) {
    margin: 0 0 8px;
  }
  .markdown li > :is(p, ul, ol) {
    margin-block-end: 0;
  }
  .markdown :is(ul, ol) {
    padding-inline-start: 24px;
  }
  /* List items with another text direction have their marker on the other side. */
  .markdown :is(ul, ol):dir(ltr) > li:dir(rtl),
  .markdown :is(ul, ol):dir(rtl) > li:dir(ltr) {
    margin-inline: 24px -24px;
  }
  .markdown :is(a, code) {
    /* Bidirectional control characters end with the link or code that contains them. */
    unicode-bidi: isolate;
  }
  .markdown a {
    color: var(--_accent);
    text-underline-offset: 2px;
  }
  .markdown img {
    max-inline-size: 100%;
  }
  .markdown code {
    padding: 1px 4px;
    border-radius: 4px;
    background: color-mix(in srgb, var(--_text) 7%, transparent);
    font: 12px/1.5 ui-monospace, monospace;
  }
  .markdown .code {
    border-radius: var(--_control-radius);
    background: color-mix(in srgb, var(--_text) 5%, transparent);
  }
  .markdown .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: 4px 4px 0 12px;
    color: var(--_muted);
    font-size: 12px;
  }
  .markdown .bar button {
    min-block-size: 24px;
    padding: 0 8px;
    border-color: transparent;
    background: none;
    font-size: 12px;
  }
  .markdown pre {
    margin: 0;
    padding: 8px 12px;
    overflow: auto;
    scrollbar-width: thin;
  }
  .markdown pre code {
    padding: 0;
    background: none;
  }
  .markdown blockquote {
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }
  .markdown hr {
    margin: 12px 0;
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  .markdown .wide {
    overflow-x: auto;
    scrollbar-width: thin;
  }
  .markdown table {
    border-collapse: collapse;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .markdown :is(th, td) {
    padding: 4px 20px 4px 0;
    border-block-end: 1px solid color-mix(in srgb, var(--_line) 55%, transparent);
    text-align: left;
    vertical-align: top;
  }
  /* Columns align by the direction of the table: cells can have another one. */
  .markdown table:dir(rtl) :is(th, td):not(.center, .end) {
    padding: 4px 0 4px 20px;
    text-align: right;
  }
  .markdown th {
    border-block-end-color: var(--_line);
    color: var(--_muted);
    font-weight: 500;
    font-size: 12px;
    unicode-bidi: plaintext;
  }
  .markdown table .end {
    padding: 4px 0 4px 20px;
    text-align: right;
  }
  .markdown table:dir(rtl) .end {
    padding: 4px 20px 4px 0;
    text-align: left;
  }
  .markdown .center {
    text-align: center;
  }
  /* Last, because the margins above have the same specificity. */
  .markdown > :first-child {
    margin-block-start: 0;
  }
  .markdown > :last-child {
    margin-block-end: 0;
  }
`;
