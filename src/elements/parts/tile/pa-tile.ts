import { register } from '../../register.js';
import { PaTile } from './tile-element.js';

register('pa-tile', PaTile);

export { nearTiles } from './lazy-tiles.js';
