import { register } from '../../register.js';
import { PaChatContext } from './context-element.js';

register('pa-chat-context', PaChatContext);

export { PaChatContext };
