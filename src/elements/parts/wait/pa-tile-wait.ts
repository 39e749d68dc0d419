import { register } from '../../register.js';
import { PaTileWait } from './wait-element.js';

register('pa-tile-wait', PaTileWait);
