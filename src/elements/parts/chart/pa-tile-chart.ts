import { register } from '../../register.js';
import { PaTileChart } from './chart-element.js';

register('pa-tile-chart', PaTileChart);
