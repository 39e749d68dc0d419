import { css } from 'lit';

/** Styles of lists that show what two versions of a dashboard have changed. */
export const differenceStyles = css`
  .differences,
  .changes {
    max-block-size: min(320px, 45vh);
    margin: 12px 0 0;
    overflow: auto;
    font-size: 13px;
  }
  .differences {
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    list-style: none;
  }
  .differences li {
    display: grid;
    grid-template-columns: minmax(0, 4fr) minmax(0, 3fr) minmax(0, 3fr);
    gap: 4px 12px;
    padding: 8px 12px;
    border-block-start: 1px solid var(--_line);
  }
  .differences li.heads {
    position: sticky;
    inset-block-start: 0;
    border: 0;
    background: var(--_surface);
    box-shadow: 0 1px var(--_line);
    color: var(--_muted);
    font-size: 12px;
  }
  .differences li.heads + li {
    border: 0;
  }
  .differences strong,
  .changes strong {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .clash {
    display: block;
    color: var(--_warn);
    font-size: 12px;
  }
  .side > span {
    display: block;
    overflow-wrap: anywhere;
  }
  .side.same {
    color: var(--_muted);
  }
  /* The column headings show the labels; screen readers read the hidden labels in each row. */
  .side > .label {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    color: var(--_muted);
    font-size: 12px;
    white-space: nowrap;
  }
  .changes {
    margin-block: 0 12px;
    padding-inline-start: 18px;
  }
  .changes ul {
    margin: 0 0 8px;
    padding: 0;
    color: var(--_muted);
    list-style: none;
  }
  .changes ul strong {
    color: var(--_text);
    font-weight: 400;
  }
  .changes ul span::before {
    content: ' · ';
  }
  @media (width < 560px) {
    .differences li {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .differences li > :first-child {
      grid-column: 1 / -1;
    }
    .differences li.heads {
      display: none;
    }
    .differences li.heads + li {
      border: 0;
    }
    .side > .label {
      position: static;
      inline-size: auto;
      block-size: auto;
      clip-path: none;
      white-space: normal;
    }
  }
`;
