import { register } from '../../register.js';
import { PaTileKpi } from './kpi-element.js';

register('pa-tile-kpi', PaTileKpi);
