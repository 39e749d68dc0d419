import { register } from '../../register.js';
import { PaTileTable } from './table-element.js';

register('pa-tile-table', PaTileTable);
