import { register } from '../../register.js';
import { PaTileMap } from './map-element.js';

register('pa-tile-map', PaTileMap);
