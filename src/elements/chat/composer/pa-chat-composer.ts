import { register } from '../../register.js';
import { PaChatComposer } from './composer-element.js';

register('pa-chat-composer', PaChatComposer);
