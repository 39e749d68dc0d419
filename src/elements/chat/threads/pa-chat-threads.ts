import { register } from '../../register.js';
import { PaChatThreads } from './threads-element.js';

register('pa-chat-threads', PaChatThreads);

export { PaChatThreads };
