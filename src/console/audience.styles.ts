import { css } from 'lit';

/** Styles of the "View as" form. */
export const audienceStyles = css`
  :host {
    display: block;
  }
  summary {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    cursor: pointer;
  }
  .label {
    font-weight: 600;
  }
  summary code {
    margin-inline-start: 4px;
    color: var(--_muted);
    font-size: 12px;
  }
  form {
    display: flex;
    flex-direction: column;
    gap: 12px;
    margin-block-start: 8px;
  }
  .error:empty {
    display: none;
  }
  .buttons {
    display: flex;
    gap: 8px;
  }
`;
