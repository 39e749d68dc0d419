import { register } from '../../register.js';
import { PaChatEdge } from './edge-element.js';

register('pa-chat-edge', PaChatEdge);

export { PaChatEdge };
