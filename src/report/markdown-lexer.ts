/** Re-exports only the parts of `marked` that this package uses, so that bundlers drop the rest. */
export { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
