export { eventually as soon } from './eventually.js';
