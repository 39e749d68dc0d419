import { css } from 'lit';

/** Styles of notices. In a low container, such as a KPI tile, the text is next to the button. */
export const noticeStyles = css`
  .notice {
    display: flex;
    flex-direction: column;
    gap: 8px;
    align-items: center;
    justify-content: safe center;
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: 100%;
    padding: 2px;
    text-align: center;
    overflow-wrap: anywhere;
  }
  .notice p {
    max-inline-size: 44ch;
    margin: 0;
    text-wrap: balance;
  }
  .notice .title {
    font-weight: 600;
  }
  .notice .hint {
    color: var(--_muted);
    font-size: 13px;
  }
  .notice button {
    flex: none;
    margin-block-start: 4px;
  }
  .notice details {
    color: var(--_muted);
    font-size: 12px;
  }
  .notice summary {
    display: inline-block;
    padding: 3px 4px;
    border-radius: 4px;
    text-decoration: underline;
    text-decoration-color: var(--_control);
    text-underline-offset: 3px;
    cursor: pointer;
    list-style: none;
  }
  .notice summary::-webkit-details-marker {
    display: none;
  }
  @container (block-size < 130px) {
    .notice {
      flex-direction: row;
      justify-content: space-between;
      text-align: start;
    }
    .notice button {
      margin: 0;
    }
    .notice details {
      display: none;
    }
  }
  @container (block-size < 130px) and (inline-size < 240px) {
    .notice {
      flex-direction: column;
      align-items: start;
      justify-content: safe center;
    }
    .notice .hint {
      display: none;
    }
  }
  @container (block-size < 96px) and (inline-size < 240px) {
    .notice {
      gap: 0;
      font-size: 12px;
      line-height: 1.25;
    }
    .notice button {
      min-block-size: 28px;
    }
  }
`;
