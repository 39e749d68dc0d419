import { register } from '../../register.js';
import { PaHint } from './hint-element.js';

register('pa-hint', PaHint);
