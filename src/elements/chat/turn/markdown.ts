// What it takes to draw Markdown: a chunk of its own, which loads when the chat is used.

export { markdownStyles } from '../../parts/markdown/markdown.styles.js';
export { MarkdownView } from '../../parts/markdown/markdown-view.js';
