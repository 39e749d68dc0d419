import { register } from '../../register.js';
import { PaControl } from './control-element.js';

register('pa-control', PaControl);
