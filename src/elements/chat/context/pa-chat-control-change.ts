import { register } from '../../register.js';
import { PaChatControlChange } from './control-change-element.js';

register('pa-chat-control-change', PaChatControlChange);

export { PaChatControlChange };
