import { register } from '../../register.js';
import { PaMarkChip } from './mark-chip-element.js';

register('pa-mark-chip', PaMarkChip);
