import { css } from 'lit';

/** Styles of HTML reports: the box, defaults of elements, and the classes available to reports. */
export const htmlStyles = css`
  :host {
    display: block;
    overflow: auto;
    /*
     * A shadow marks an edge beyond which there is more content. At the ends, covers that scroll with the content hide
     * it.
     */
    --_shade: color-mix(in srgb, var(--_text) 14%, transparent);
    background:
      linear-gradient(var(--_surface) 50%, transparent) top / 100% 28px no-repeat local,
      linear-gradient(transparent, var(--_surface) 50%) bottom / 100% 28px no-repeat local,
      linear-gradient(var(--_shade), transparent) top / 100% 14px no-repeat scroll,
      linear-gradient(transparent, var(--_shade)) bottom / 100% 14px no-repeat scroll;
    /* Styles of a report cannot affect anything outside its box. */
    contain: content;
    isolation: isolate;
  }
  .html {
    overflow-wrap: break-word;
  }
  .html > :first-child {
    margin-block-start: 0;
  }
  .html > :last-child {
    margin-block-end: 0;
  }
  /* Each paragraph gets its direction from its text and its alignment from the page. */
  :is(div, p, li, dt, dd, blockquote, figcaption, h1, h2, h3, h4, h5, h6) {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  h6 {
    margin-block: 12px 4px;
    font-size: 14px;
    font-weight: 600;
  }
  p,
  ul,
  ol,
  dl,
  table,
  blockquote,
  figure {
    margin-block: 0 8px;
    margin-inline: 0;
  }
  ul {
    padding-inline-start: 20px;
  }
  /* Room for a two-digit number and its point. */
  ol {
    padding-inline-start: 28px;
  }
  blockquote {
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_line);
    color: var(--_muted);
  }
  table {
    border-collapse: collapse;
    font-size: 13px;
  }
  th,
  td {
    padding-block: 6px;
    padding-inline: 0 12px;
    border-block-end: 1px solid var(--_line);
    text-align: start;
    vertical-align: top;
  }
  th {
    color: var(--_muted);
    font-size: 12px;
    font-weight: 500;
  }
  a {
    color: var(--_accent);
  }
  img {
    max-inline-size: 100%;
    block-size: auto;
  }
  pre {
    overflow: auto;
  }
  hr {
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  mark {
    background: color-mix(in srgb, var(--_accent) 18%, transparent);
    color: inherit;
  }
  .muted {
    color: var(--_muted);
  }
  .accent {
    color: var(--_accent);
  }
  .positive {
    color: var(--_success);
  }
  .negative {
    color: var(--_danger);
  }
  .warning {
    color: var(--_warn);
  }
  .small {
    font-size: 12px;
  }
  .large {
    font-size: 20px;
  }
  .figure {
    font-weight: 600;
    font-size: 28px;
    font-variant-numeric: tabular-nums;
    line-height: 1.15;
  }
  .numeric {
    font-variant-numeric: tabular-nums;
  }
  th.numeric,
  td.numeric,
  .end {
    text-align: end;
  }
  .center {
    text-align: center;
  }
  .nowrap {
    white-space: nowrap;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 16px;
  }
  .column {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(160px, 100%), 1fr));
    gap: 12px;
  }
  .card {
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
  }
  .chip {
    display: inline-block;
    padding: 1px 8px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    font-size: 12px;
  }
  .note {
    margin-block: 8px 0;
    color: var(--_muted);
    font-size: 12px;
  }
`;
