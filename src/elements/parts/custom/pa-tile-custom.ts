import { register } from '../../register.js';
import { PaTileCustom } from './custom-element.js';

register('pa-tile-custom', PaTileCustom);
