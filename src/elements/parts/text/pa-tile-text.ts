import { register } from '../../register.js';
import { PaTileText } from './text-element.js';

register('pa-tile-text', PaTileText);
