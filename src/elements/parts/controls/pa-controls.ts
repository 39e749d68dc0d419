import { register } from '../../register.js';
import { PaControl } from './control-element.js';
import { PaControls } from './controls-element.js';

register('pa-control', PaControl);
register('pa-controls', PaControls);
