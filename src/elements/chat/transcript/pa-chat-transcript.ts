import { register } from '../../register.js';
import { PaChatTranscript } from './transcript-element.js';

register('pa-chat-transcript', PaChatTranscript);
