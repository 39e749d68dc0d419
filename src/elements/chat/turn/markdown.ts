// The Markdown renderer in its own chunk, loaded when the chat is used.

export { markdownStyles } from '../../parts/markdown/markdown.styles.js';
export { MarkdownView } from '../../parts/markdown/markdown-view.js';
