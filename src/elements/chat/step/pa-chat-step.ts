import { register } from '../../register.js';
import { PaChatStep } from './step-element.js';

register('pa-chat-step', PaChatStep);

export { PaChatStep };
