import { register } from '../../register.js';
import { PaChatComment } from './comment-element.js';

register('pa-chat-comment', PaChatComment);

export { PaChatComment };
