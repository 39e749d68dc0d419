import { register } from '../../register.js';
import { PaChatTurn } from './turn-element.js';

register('pa-chat-turn', PaChatTurn);
