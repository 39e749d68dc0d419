import { register } from '../../register.js';
import { PaTileHtml } from './html-element.js';

register('pa-tile-html', PaTileHtml);
