import { register } from '../../register.js';
import { PaMoveDialog } from './move-dialog-element.js';

register('pa-move-dialog', PaMoveDialog);
