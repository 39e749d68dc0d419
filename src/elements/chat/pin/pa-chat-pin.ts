import { register } from '../../register.js';
import { PaChatPin } from './pin-element.js';

register('pa-chat-pin', PaChatPin);

export { PaChatPin };
