import { register } from '../../register.js';
import { PaChatAttachments } from './attachments-element.js';

register('pa-chat-attachments', PaChatAttachments);

export { PaChatAttachments };
