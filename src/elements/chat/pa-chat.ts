export type * from '../events.js';

import { register } from '../register.js';
import { PaChat } from './chat-element.js';

register('pa-chat', PaChat);

export { PaChat };
