import { css } from 'lit';

/** Styles of the playground. */
export const playgroundStyles = css`
  :host {
    display: block;
  }
  .layout {
    display: grid;
    grid-template-columns: 320px minmax(0, 1fr);
    align-items: start;
    gap: 16px;
  }
  aside {
    display: flex;
    position: sticky;
    inset-block-start: 16px;
    flex-direction: column;
    gap: 16px;
    max-block-size: calc(100dvh - 32px);
    overflow-y: auto;
  }
  pa-console-audience {
    flex: none;
    padding-block-end: 16px;
    border-block-end: 1px solid var(--_line);
  }
  .work {
    display: flex;
    flex-direction: column;
    gap: 16px;
    min-inline-size: 0;
  }
  .query {
    display: flex;
    flex-direction: column;
    gap: 12px;
    padding: 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .chips,
  .fields,
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
  }
  .filter {
    display: flex;
    align-items: center;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  pa-filter {
    min-inline-size: 0;
    max-inline-size: 320px;
  }
  .grain {
    display: flex;
    align-items: center;
    gap: 8px;
    color: var(--_text);
    font-size: 13px;
    white-space: nowrap;
  }
  .grain select {
    inline-size: auto;
  }
  .order {
    flex: 2 1 200px;
  }
  .limit {
    flex: 1 1 96px;
  }
  .timezone {
    flex: 1 1 160px;
  }
  .actions {
    min-block-size: 32px;
  }
  .primary {
    min-inline-size: 80px;
  }
  .dimmed {
    opacity: 0.9;
  }
  .failure {
    border-color: var(--_danger);
  }
  .failure h2 {
    margin-block-end: 4px;
    color: var(--_danger);
  }
  .failure p {
    overflow-wrap: anywhere;
  }
  .nothing {
    padding: 48px 24px;
    text-align: center;
  }
  .nothing h2 {
    margin-block-end: 8px;
    font-size: 16px;
  }
  .nothing p {
    max-inline-size: 560px;
    margin-inline: auto;
    color: var(--_muted);
  }
  @media (width < 900px) {
    .layout {
      grid-template-columns: 260px minmax(0, 1fr);
    }
  }
  @media (width < 700px) {
    .layout {
      grid-template-columns: minmax(0, 1fr);
    }
    aside {
      position: static;
      max-block-size: none;
    }
    pa-member-picker {
      max-block-size: 360px;
    }
  }
`;
