import { register } from '../../../register.js';
import { PaFilterPanel } from './filter-panel-element.js';

register('pa-filter-panel', PaFilterPanel);
