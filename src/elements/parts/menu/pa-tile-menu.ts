import { register } from '../../register.js';
import { PaTileMenu } from './menu-element.js';

register('pa-tile-menu', PaTileMenu);
