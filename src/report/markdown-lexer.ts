/** Re-exports only what is used of `marked`, so that bundlers drop the rest. */
export { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
