/** All that is used of marked, so that the rest of it need not be shipped. */
export { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
