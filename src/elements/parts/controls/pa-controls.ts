import { register } from '../../register.js';
import { PaControls } from './controls-element.js';

register('pa-controls', PaControls);
