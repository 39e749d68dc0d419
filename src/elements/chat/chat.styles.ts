import { css } from 'lit';

/** Styles of a chat. The host sets the height; the default is `--pa-chat-height`. */
export const chatStyles = css`
  :host {
    --_on-accent: var(--pa-on-accent, light-dark(#ffffff, #0b1020));
    display: block;
    box-sizing: border-box;
    block-size: var(--pa-chat-height, 600px);
    min-inline-size: 0;
  }
  :host([hidden]) {
    display: none;
  }
  :host([mode='panel']) {
    display: contents;
  }
  :host([mode='docked']) {
    flex: none;
    inline-size: min(100%, var(--_chat-width, var(--pa-chat-width, 400px)));
  }
  :host([mode='docked']:not([open])) {
    inline-size: max-content;
  }
  [hidden] {
    display: none !important;
  }
  .frame {
    display: flex;
    position: relative;
    flex-direction: column;
    box-sizing: border-box;
    inline-size: 100%;
    block-size: 100%;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 14px/1.6 var(--_font);
    text-align: start;
    overflow: hidden;
    container-type: inline-size;
    /* Aligns all content with the message column. */
    --_beside: max(16px, calc((100% - 840px) / 2));
  }
  .blank {
    visibility: hidden;
  }
  .frame[popover] {
    position: fixed;
    inset: auto;
    inset-block-end: 24px;
    inset-inline-end: 24px;
    inline-size: min(var(--_chat-width, var(--pa-chat-width, 400px)), calc(100vw - 48px));
    block-size: min(var(--pa-chat-height, 640px), calc(100dvh - 48px));
    margin: 0;
    padding: 0;
    box-shadow: 0 8px 32px rgb(0 0 0 / 20%);
  }
  .frame[popover]:not(:popover-open) {
    display: none;
  }
  /* The panel is docked next to the content, in space that its edge reserves. */
  .frame[popover][data-docked] {
    inset-block: 0;
    inset-inline-end: 0;
    block-size: 100dvh;
    border-block: 0;
    border-inline-end: 0;
    border-radius: 0;
    box-shadow: none;
  }
  @media (max-width: 480px) {
    .frame[popover] {
      inset: 0;
      inline-size: 100vw;
      block-size: 100dvh;
      border: 0;
      border-radius: 0;
    }
  }
  .launcher {
    display: grid;
    place-items: center;
    min-inline-size: 48px;
    min-block-size: 48px;
    border-radius: 24px;
  }
  /*
   * A tab at the edge of the window. It is only as wide as the page margin and the tile padding, so that it covers no
   * content.
   */
  :host([mode='panel']) .launcher {
    position: fixed;
    inset-block-end: 24px;
    inset-inline-end: 0;
    z-index: 1;
    min-inline-size: 28px;
    min-block-size: 56px;
    padding: 0;
    border-color: transparent;
    border-radius: 0;
    border-start-start-radius: 14px;
    border-end-start-radius: 14px;
    background: var(--_accent);
    box-shadow: 0 4px 16px rgb(0 0 0 / 20%);
    color: var(--_on-accent);
  }
  .launcher svg {
    inline-size: 20px;
    block-size: 20px;
  }
  header {
    display: flex;
    flex: none;
    align-items: center;
    gap: 4px;
    padding-block: 8px;
    padding-inline: var(--_beside) max(8px, calc((100% - 840px) / 2));
    border-block-end: 1px solid var(--_line);
  }
  .title {
    font-weight: 600;
  }
  header slot {
    display: block;
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .quiet {
    display: grid;
    flex: none;
    place-items: center;
    min-inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .threads {
    position: absolute;
    inset: 49px 0 0;
    z-index: 2;
    overflow: auto;
    background: var(--_surface);
  }
  .banner {
    flex: none;
    max-block-size: 50%;
    padding: 12px var(--_beside);
    border-block-end: 1px solid var(--_line);
    overflow: auto;
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
    align-items: center;
    overflow-wrap: anywhere;
  }
  .words {
    flex: 1;
    min-inline-size: 160px;
  }
  .notice p {
    margin: 0;
  }
  .notice .title {
    font-weight: 600;
  }
  .notice :is(.hint, details) {
    color: var(--_muted);
    font-size: 13px;
  }
  .empty .notice {
    block-size: 100%;
    text-align: center;
  }
  .empty {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 16px;
    min-block-size: 0;
    padding: 16px var(--_beside);
    overflow: auto;
  }
  .empty slot {
    display: block;
    flex: 1;
  }
  .suggestions {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    gap: 8px;
    margin: auto 0 0;
    padding: 0;
    list-style: none;
  }
  pa-chat-transcript ~ .suggestions {
    margin: 0 var(--_beside) 8px;
    max-block-size: 40%;
    overflow: auto;
  }
  .suggestions li {
    max-inline-size: 100%;
  }
  .suggestions button {
    max-inline-size: 100%;
    min-block-size: 32px;
    padding: 6px 12px;
    border-color: var(--_line);
    border-radius: 16px;
    line-height: 1.4;
    overflow-wrap: anywhere;
    text-align: start;
  }
  /* In a wide chat without messages, suggestions and composer form one centered column. */
  @container (min-width: 720px) {
    .empty {
      flex: 0 1 auto;
      margin-block-start: auto;
    }
    .empty .suggestions {
      justify-content: center;
    }
    .empty ~ pa-chat-composer {
      margin-block-end: auto;
    }
  }
  pa-chat-transcript {
    flex: 1;
    min-block-size: 0;
  }
  pa-chat-composer {
    flex: none;
  }
  .note {
    flex: none;
    margin: 0;
    padding: 4px var(--_beside);
    color: var(--_danger);
    font-size: 13px;
  }
  .delayed {
    margin: auto;
    color: var(--_muted);
  }
  @media (pointer: coarse) {
    .quiet {
      min-inline-size: 44px;
    }
    .suggestions button {
      min-block-size: 44px;
      border-radius: 22px;
    }
    .threads {
      inset-block-start: 61px;
    }
  }
  /* Elements that are fixed to the window would repeat on every printed page. */
  @media print {
    :host([mode='panel']) .launcher {
      display: none;
    }
  }
`;
