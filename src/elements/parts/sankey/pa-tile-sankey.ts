import { register } from '../../register.js';
import { PaTileSankey } from './sankey-element.js';

register('pa-tile-sankey', PaTileSankey);
