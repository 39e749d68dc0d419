import { register } from '../../register.js';
import { PaChatReport } from './report-dialog-element.js';

register('pa-chat-report', PaChatReport);
