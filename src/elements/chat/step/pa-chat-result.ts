import { register } from '../../register.js';
import { PaChatResult } from './result-element.js';

register('pa-chat-result', PaChatResult);

export { PaChatResult };
