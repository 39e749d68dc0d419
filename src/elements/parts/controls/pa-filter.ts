import { register } from '../../register.js';
import { PaFilter } from './filter-element.js';

register('pa-filter', PaFilter);
