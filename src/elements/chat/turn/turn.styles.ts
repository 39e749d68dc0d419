import { css } from 'lit';

/** Styles of a turn, in the shadow root that contains it. */
export const turnStyles = css`
  pa-chat-turn {
    display: block;
    margin-block-end: 24px;
    contain: layout style;
  }
  /* Shows the actions of a turn above the next one. */
  pa-chat-turn:is(:hover, :focus-within) {
    position: relative;
    z-index: 1;
  }
  .question {
    display: flex;
    position: relative;
    flex-direction: column;
    gap: 4px;
    align-items: end;
    margin-block-end: 12px;
  }
  .bubble {
    box-sizing: border-box;
    max-inline-size: 80%;
    margin: 0;
    padding: 8px 12px;
    border: 1px solid transparent;
    border-radius: 12px;
    border-end-end-radius: 4px;
    background: var(--pa-chat-bubble, color-mix(in srgb, var(--_accent) 12%, var(--_surface)));
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .answer {
    display: flex;
    position: relative;
    flex-direction: column;
    gap: 8px;
  }
  .text {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .plain {
    white-space: pre-wrap;
  }
  .text > :focus-visible {
    border-radius: 4px;
  }
  .thinking,
  .working,
  .usage {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  .thinking p {
    margin: 4px 0 8px;
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_line);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  summary {
    border-radius: 4px;
    cursor: pointer;
  }
  .ending {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
    color: var(--_muted);
    font-size: 13px;
  }
  .ending p {
    flex: 1;
    min-inline-size: 160px;
    margin: 0;
    overflow-wrap: anywhere;
  }
  .failed p {
    color: var(--_danger);
  }
  .note {
    margin: 0;
    color: var(--_danger);
    font-size: 13px;
  }
  /* Hidden actions take up no space. Hover, focus and tap show them in the gap to the content that follows. */
  .tools {
    display: flex;
    position: absolute;
    inset-block-start: 100%;
    inset-inline-start: 0;
    gap: 2px;
    align-items: center;
    min-block-size: 32px;
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: var(--_muted);
    font-size: 12px;
    opacity: 0;
    pointer-events: none;
    transition: opacity 120ms;
  }
  .question .tools {
    inset-inline: auto 0;
  }
  .question:is(:hover, :focus-within) .tools,
  .answer:is(:hover, :focus-within) .tools {
    opacity: 1;
    pointer-events: auto;
  }
  .tools time {
    padding-inline: 4px;
    font-variant-numeric: tabular-nums;
  }
  .tool {
    display: grid;
    place-items: center;
    min-inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: inherit;
  }
  .tool[aria-pressed='true'] {
    border-color: var(--_control);
    color: var(--_accent);
  }
  @media (hover: none) {
    pa-chat-turn:last-of-type .answer > .tools {
      position: static;
      opacity: 1;
      pointer-events: auto;
    }
  }
  @media (pointer: coarse) {
    .tool {
      min-inline-size: 44px;
    }
  }
  @media (forced-colors: active) {
    .bubble {
      border-color: CanvasText;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .tools {
      transition: none;
    }
  }
`;
