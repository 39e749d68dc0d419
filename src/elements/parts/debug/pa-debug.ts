import { register } from '../../register.js';
import { PaDebug } from './debug-element.js';

register('pa-debug', PaDebug);
