import { register } from '../../register.js';
import { PaEditGrid } from './edit-grid-element.js';

register('pa-edit-grid', PaEditGrid);
